package io.headgate.core.hits;

import io.headgate.core.limit.WideMath;
import java.time.ZoneId;

/**
 * The counts of two fixed windows; see {@link Algorithm#SLIDING_WINDOW}. The hits of the earlier
 * one are taken as spread evenly over it.
 */
final class SlidingBucket extends Bucket {

  private long limit;
  private long duration;
  private boolean calendar;

  /** The milliseconds of a window; 1 at least. */
  private long window;

  private long start;
  private long current;
  private long previous;

  /** The largest time seen. */
  private long last;

  SlidingBucket(HitRequest request, long nowMillis, ZoneId zone) {
    limit = request.limit();
    duration = request.duration();
    calendar = request.isCalendar();
    window = windowOf(request, nowMillis, zone);
    last = startOf(request, nowMillis);
    start = startAt(last);
    live();
  }

  SlidingBucket(BucketState state) {
    limit = state.limit();
    duration = state.duration();
    calendar = state.calendar();
    window = Math.max(1, state.period());
    start = state.time();
    last = start;
    current = state.count();
    previous = state.part();
  }

  private static long windowOf(HitRequest request, long nowMillis, ZoneId zone) {
    return Math.max(
        1,
        request.isCalendar()
            ? CalendarUnit.of(request.duration()).at(nowMillis, zone).length()
            : request.duration());
  }

  private long startAt(long time) {
    return time - Math.floorMod(time, window);
  }

  private void live() {
    expireAt(plus(start, plus(window, window)) - 1);
  }

  @Override
  public HitAnswer first(HitRequest request, long nowMillis, ZoneId zone) {
    return take(request);
  }

  @Override
  public HitAnswer hit(HitRequest request, long nowMillis, ZoneId zone) {
    adopt(request, nowMillis, zone);
    return take(request);
  }

  @Override
  public void charge(HitRequest request, long nowMillis, ZoneId zone) {
    adopt(request, nowMillis, zone);
    current = plus(current, request.hits());
  }

  private void adopt(HitRequest request, long nowMillis, ZoneId zone) {
    long newWindow = windowOf(request, nowMillis, zone);
    advance(request.createdAt());
    if (newWindow != window) {
      current = used();
      previous = 0;
      window = newWindow;
      start = startAt(last);
    }
    limit = request.limit();
    duration = request.duration();
    calendar = request.isCalendar();
    if (request.has(Behavior.RESET_REMAINING)) {
      current = 0;
      previous = 0;
    }
    live();
  }

  private void advance(long millis) {
    if (millis <= last) {
      return;
    }
    last = millis;
    long elapsed = minus(millis, start);
    if (elapsed >= window) {
      previous = elapsed - window < window ? Math.max(0, current) : 0;
      current = 0;
      start = startAt(millis);
    }
  }

  private long used() {
    long covered = window - Math.min(window, last - start);
    return plus(current, WideMath.multiplyDivideUp(previous, covered, window));
  }

  private HitAnswer take(HitRequest request) {
    long hits = request.hits();
    long left = remaining();
    boolean over = hits > 0 && hits > left;
    if (!over) {
      current = Math.max(plus(current, hits), current - Math.max(0, used()));
    } else if (request.has(Behavior.DRAIN_OVER_LIMIT)) {
      current = plus(current, Math.max(0, left));
    }
    return new HitAnswer(over, limit, remaining(), resetAt());
  }

  private long remaining() {
    return Math.max(Math.min(0, limit), minus(limit, used()));
  }

  private long resetAt() {
    if (current > 0) {
      return plus(start, plus(window, window));
    }
    return previous > 0 ? plus(start, window) : last;
  }

  @Override
  public void merge(BucketState other) {
    if (other.time() == start && other.period() == window) {
      current = plus(current, other.count());
      previous = plus(previous, other.part());
    } else if (other.time() + window == start && other.period() == window) {
      previous = plus(previous, other.count());
    } else {
      current = plus(current, plus(other.count(), other.part()));
    }
  }

  @Override
  public BucketState state() {
    return new BucketState(
        algorithm(), limit, duration, calendar, 0, current, previous, start, window, expireAt());
  }

  @Override
  public Algorithm algorithm() {
    return Algorithm.SLIDING_WINDOW;
  }
}
