package io.headgate.core.hits;

import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Plays requests written as {@code "L10 D30000 h1 | +1000 h1 DRAIN"} against one bucket and says
 * the answers as {@code "U9@3000 | O9"}: U for under or O for over, what remains, and the reset
 * time from the start if it is asked for. Limit, duration and burst hold until others are given;
 * {@code +x} is the time from the start, {@code cx} that of the request's own clock.
 */
final class Replay {

  private final long start;
  private final Algorithm algorithm;
  private @Nullable Bucket bucket;
  private long limit;
  private long duration;
  private long burst;
  private long now;

  Replay(Algorithm algorithm, long start) {
    this.algorithm = algorithm;
    this.start = start;
    now = start;
  }

  /** The answers, with reset times where the expectation has them. */
  String play(String requests, String expected) {
    String[] steps = requests.split("\\|");
    String[] wanted = expected.split("\\|");
    List<String> answers = new ArrayList<>();
    for (int i = 0; i < steps.length; i++) {
      HitAnswer answer = step(steps[i].strip());
      String text = (answer.over() ? "O" : "U") + answer.remaining();
      boolean withReset = i < wanted.length && wanted[i].contains("@");
      answers.add(withReset ? text + "@" + reset(answer) : text);
    }
    return String.join(" | ", answers);
  }

  private String reset(HitAnswer answer) {
    return answer.resetAt() == 0 ? "none" : Long.toString(answer.resetAt() - start);
  }

  private HitAnswer step(String words) {
    long hits = 0;
    int behavior = 0;
    long createdAt = 0;
    for (String word : words.split(" ")) {
      switch (word) {
        case "RESET" -> behavior |= Behavior.RESET_REMAINING;
        case "DRAIN" -> behavior |= Behavior.DRAIN_OVER_LIMIT;
        case "GREG" -> behavior |= Behavior.DURATION_IS_GREGORIAN;
        default -> {
          long number = Long.parseLong(word.substring(1));
          switch (word.charAt(0)) {
            case 'L' -> limit = number;
            case 'D' -> duration = number;
            case 'B' -> burst = number;
            case 'h' -> hits = number;
            case '+' -> now = start + number;
            case 'c' -> createdAt = start + number;
            default -> throw new IllegalArgumentException(word);
          }
        }
      }
    }
    return ask(
        new HitRequest(
            hits, limit, duration, burst, algorithm, behavior, createdAt == 0 ? now : createdAt));
  }

  private HitAnswer ask(HitRequest request) {
    Bucket live = bucket;
    if (live == null || live.isExpired(now)) {
      bucket = Bucket.create(request, now, ZoneOffset.UTC);
      return bucket.first(request, now, ZoneOffset.UTC);
    }
    bucket = Bucket.of(live.state()); // a bucket that was kept elsewhere goes on as it was
    return bucket.hit(request, now, ZoneOffset.UTC);
  }
}
