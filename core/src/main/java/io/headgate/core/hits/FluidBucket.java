package io.headgate.core.hits;

import io.headgate.core.limit.WideMath;
import java.time.ZoneId;

/**
 * A bucket that hits fill and that runs out at a constant rate; see {@link Algorithm#LEAKY_BUCKET}
 * and {@link Algorithm#GCRA}, which are two ways to describe the same arithmetic (ITU-T I.371,
 * annex A). Counted is the room that is left: whole hits, and the part of the next one as a
 * fraction of the period, so that no part of a hit is ever lost to rounding.
 */
final class FluidBucket extends Bucket {

  private final Algorithm algorithm;
  private long limit;
  private long duration;
  private boolean calendar;
  private long burst;

  /** The milliseconds in which {@code limit} hits run out. */
  private long period;

  /** Room for hits; below 0 after {@link #charge} of more than there was. */
  private long whole;

  /** How much of the room for one more hit is there, in parts of {@code 1/period}. */
  private long part;

  private long updatedAt;

  FluidBucket(HitRequest request, long nowMillis, ZoneId zone) {
    algorithm = request.algorithm();
    limit = request.limit();
    duration = request.duration();
    calendar = request.isCalendar();
    burst = request.effectiveBurst();
    period = periodOf(request, nowMillis, zone);
    whole = burst;
    updatedAt = startOf(request, nowMillis);
    expireAt(endOf(request, updatedAt, nowMillis, zone));
  }

  FluidBucket(BucketState state) {
    algorithm = state.algorithm();
    limit = state.limit();
    duration = state.duration();
    calendar = state.calendar();
    burst = state.burst();
    period = state.period();
    whole = state.count();
    part = state.part();
    updatedAt = state.time();
  }

  private static long periodOf(HitRequest request, long nowMillis, ZoneId zone) {
    return request.isCalendar()
        ? CalendarUnit.of(request.duration()).at(nowMillis, zone).length()
        : request.duration();
  }

  private static long endOf(HitRequest request, long time, long nowMillis, ZoneId zone) {
    return request.isCalendar()
        ? CalendarUnit.of(request.duration()).at(nowMillis, zone).end()
        : plus(time, request.duration());
  }

  /** As Gubernator has it, a leaky bucket that begins with too many hits is empty from then on. */
  @Override
  public HitAnswer first(HitRequest request, long nowMillis, ZoneId zone) {
    boolean drains = request.hits() > whole && algorithm == Algorithm.LEAKY_BUCKET;
    HitRequest effective =
        drains
            ? request.with(request.hits(), request.behavior() | Behavior.DRAIN_OVER_LIMIT)
            : request;
    return take(effective, updatedAt, nowMillis, zone);
  }

  @Override
  public HitAnswer hit(HitRequest request, long nowMillis, ZoneId zone) {
    adopt(request, nowMillis, zone);
    if (request.has(Behavior.RESET_REMAINING)) {
      fill();
    }
    return take(request, request.createdAt(), nowMillis, zone);
  }

  @Override
  public void charge(HitRequest request, long nowMillis, ZoneId zone) {
    adopt(request, nowMillis, zone);
    if (request.has(Behavior.RESET_REMAINING)) {
      fill();
    }
    whole = Math.min(burst, minus(whole, request.hits()));
    live(request, request.createdAt(), nowMillis, zone);
  }

  /** Time until now belongs to the old rate; a larger burst adds its difference, a smaller cuts. */
  private void adopt(HitRequest request, long nowMillis, ZoneId zone) {
    long newPeriod = periodOf(request, nowMillis, zone);
    advance(request.createdAt());
    long newBurst = request.effectiveBurst();
    if (newBurst > burst) {
      whole = plus(whole, minus(newBurst, burst));
    } else if (newBurst < burst && whole >= newBurst) {
      whole = newBurst;
      part = 0;
    }
    if (newPeriod != period) {
      part =
          period <= 0 || newPeriod <= 0
              ? 0
              : WideMath.multiplyAddDivide(part, newPeriod, 0, period);
    }
    burst = newBurst;
    limit = request.limit();
    duration = request.duration();
    calendar = request.isCalendar();
    period = newPeriod;
  }

  private void advance(long millis) {
    if (millis <= updatedAt) {
      return;
    }
    long elapsed = minus(millis, updatedAt);
    updatedAt = millis;
    if (limit <= 0) {
      return;
    }
    long room = minus(burst, whole);
    long come = period <= 0 ? room : WideMath.multiplyAddDivide(elapsed, limit, part, period);
    if (come >= room) {
      fill();
    } else {
      whole += come;
      // Each product may wrap around; their difference is the remainder, which does not.
      part = elapsed * limit + part - come * period;
    }
  }

  private void fill() {
    whole = burst;
    part = 0;
  }

  private HitAnswer take(HitRequest request, long time, long nowMillis, ZoneId zone) {
    long hits = request.hits();
    boolean over = hits > 0 && hits > whole;
    if (!over) {
      whole = Math.min(burst, minus(whole, hits));
      part = whole == burst ? 0 : part;
    } else if (request.has(Behavior.DRAIN_OVER_LIMIT)) {
      part = whole > 0 ? 0 : part;
      whole = Math.min(whole, 0);
    }
    if (hits != 0) {
      live(request, time, nowMillis, zone);
    }
    return new HitAnswer(over, limit, Math.max(Math.min(0, burst), whole), resetAt(time));
  }

  /** Keeps the bucket as long as it differs from a full one, and for a duration at least. */
  private void live(HitRequest request, long time, long nowMillis, ZoneId zone) {
    long end = endOf(request, time, nowMillis, zone);
    expireAt(calendar ? end : Math.max(expireAt(), Math.max(end, plus(time, timeFor(burst)))));
  }

  /**
   * A leaky bucket speaks of whole hits against the limit, even where the burst is larger, so that
   * the time may lie in the past; GCRA of the very moment at which it is full.
   */
  private long resetAt(long time) {
    if (limit <= 0) {
      return burst <= 0 ? time : expireAt();
    }
    if (algorithm == Algorithm.GCRA) {
      return plus(time, timeFor(burst));
    }
    long missing = minus(limit, whole);
    long wait =
        missing >= 0
            ? WideMath.multiplyDivideUp(missing, Math.max(0, period), limit)
            : -WideMath.multiplyAddDivide(-missing, Math.max(0, period), 0, limit);
    return plus(time, wait);
  }

  /** Milliseconds until there is room for {@code hits}, rounded up. */
  private long timeFor(long hits) {
    long missing = minus(hits, whole);
    if (missing <= 0 || limit <= 0 || period <= 0) {
      return 0;
    }
    // The part of the next hit that is there already need not come: missing - 1 whole ones and the
    // rest.
    return WideMath.multiplyAddDivide(missing - 1, period, plus(period - part, limit - 1), limit);
  }

  @Override
  public void merge(BucketState other) {
    whole = minus(whole, minus(other.burst(), other.count()));
    expireAt(Math.max(expireAt(), other.expireAt()));
  }

  @Override
  public BucketState state() {
    return new BucketState(
        algorithm, limit, duration, calendar, burst, whole, part, updatedAt, period, expireAt());
  }

  @Override
  public Algorithm algorithm() {
    return algorithm;
  }
}
