package io.headgate.simulator.campaign;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Once settled and connected, no more passes than the limit and what chance explains, neither in a
 * second nor over five.
 */
final class NotAboveLimit implements Invariant {

  /** The share of the limit by which the estimate of demand may be off for a while. */
  static final double SHARE = 0.05;

  /** What lasts shows more clearly over so many seconds than in one. */
  static final int WINDOW_SECONDS = 5;

  /** What passes in a second is a Poisson count; so many of its standard deviations are chance. */
  static final double SIGMAS = 6;

  @Override
  public String name() {
    return "not-above-limit";
  }

  @Override
  public boolean isJudged(Moment moment) {
    return moment.buckets().stream()
        .anyMatch(
            bucket ->
                bucket.settled()
                    && bucket.denies()
                    && bucket.demandPerSecond() > bucket.limitPerSecond());
  }

  /** The most that may pass a second, over so many seconds. */
  static double most(double limitPerSecond, int seconds) {
    return limitPerSecond * (1 + SHARE) + SIGMAS * Math.sqrt(limitPerSecond / seconds);
  }

  @Override
  public List<String> violations(Moment moment) {
    List<String> found = new ArrayList<>();
    for (Moment.BucketSecond bucket : moment.buckets()) {
      double limit = bucket.limitPerSecond();
      double mostInOne = most(limit, 1);
      double mostLately = most(limit, WINDOW_SECONDS);
      if (bucket.settled() && bucket.denies()) {
        if (bucket.passed() > mostInOne) {
          found.add(describe(bucket, bucket.passed(), "in a second", mostInOne));
        }
        if (bucket.passedLately() > mostLately) {
          found.add(describe(bucket, bucket.passedLately(), "a second, over five", mostLately));
        }
      }
    }
    return found;
  }

  private static String describe(
      Moment.BucketSecond bucket, double passed, String when, double most) {
    return String.format(
        Locale.ROOT,
        "%s: %.0f passed %s (expected: at most %.0f, for a limit of %.0f/s and a demand of %.0f/s)",
        bucket.name(),
        passed,
        when,
        most,
        bucket.limitPerSecond(),
        bucket.demandPerSecond());
  }
}
