package io.headgate.core.hits;

import java.time.ZoneId;

/** A window that begins with the first hit; see {@link Algorithm#TOKEN_BUCKET}. */
final class WindowBucket extends Bucket {

  private long limit;
  private long duration;
  private boolean calendar;

  /**
   * Hits that were taken; below 0 if more were given back. What is left follows from it, so that a
   * limit that changes, and changes back, forgets nothing.
   */
  private long used;

  private long createdAt;

  WindowBucket(HitRequest request, long nowMillis, ZoneId zone) {
    begin(request, startOf(request, nowMillis), nowMillis, zone);
  }

  WindowBucket(BucketState state) {
    limit = state.limit();
    duration = state.duration();
    calendar = state.calendar();
    used = state.count();
    createdAt = state.time();
  }

  private void begin(HitRequest request, long start, long nowMillis, ZoneId zone) {
    limit = request.limit();
    duration = request.duration();
    calendar = request.isCalendar();
    used = 0;
    createdAt = start;
    expireAt(
        calendar ? CalendarUnit.of(duration).at(nowMillis, zone).end() : plus(start, duration));
  }

  @Override
  public HitAnswer first(HitRequest request, long nowMillis, ZoneId zone) {
    return take(request);
  }

  @Override
  public HitAnswer hit(HitRequest request, long nowMillis, ZoneId zone) {
    if (request.has(Behavior.RESET_REMAINING)) {
      discard();
      return new HitAnswer(false, request.limit(), request.limit(), 0);
    }
    adopt(request, nowMillis, zone);
    return take(request);
  }

  @Override
  public void charge(HitRequest request, long nowMillis, ZoneId zone) {
    adopt(request, nowMillis, zone);
    used = plus(used, request.hits());
  }

  /** A window keeps its start when its length changes, unless it would be over by now. */
  private void adopt(HitRequest request, long nowMillis, ZoneId zone) {
    if (request.isCalendar() != calendar || request.duration() != duration) {
      long end =
          request.isCalendar()
              ? CalendarUnit.of(request.duration()).at(nowMillis, zone).end()
              : plus(createdAt, request.duration());
      if (end <= request.createdAt() && !request.isCalendar()) {
        begin(request, request.createdAt(), nowMillis, zone);
      } else {
        duration = request.duration();
        calendar = request.isCalendar();
        expireAt(end);
      }
    }
    limit = request.limit();
  }

  private HitAnswer take(HitRequest request) {
    long hits = request.hits();
    boolean over = hits > 0 && hits > remaining();
    if (!over) {
      used = plus(used, hits);
    } else if (request.has(Behavior.DRAIN_OVER_LIMIT)) {
      used = Math.max(used, limit);
    }
    return new HitAnswer(over, limit, remaining(), expireAt());
  }

  private long remaining() {
    return Math.max(Math.min(0, limit), minus(limit, used));
  }

  @Override
  public void merge(BucketState other) {
    used = plus(used, other.count());
  }

  @Override
  public BucketState state() {
    return new BucketState(
        algorithm(), limit, duration, calendar, 0, used, 0, createdAt, 0, expireAt());
  }

  @Override
  public Algorithm algorithm() {
    return Algorithm.TOKEN_BUCKET;
  }
}
