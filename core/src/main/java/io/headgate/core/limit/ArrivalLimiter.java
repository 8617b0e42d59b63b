package io.headgate.core.limit;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A constant flow of permits in one word, the theoretical arrival time of the generic cell rate
 * algorithm: when the bucket would be full again. Lock-free; a decision is one compare-and-set if
 * nobody else decides at the same time, and a denial writes nothing.
 */
final class ArrivalLimiter extends Limiter {

  /*
   * Steps of 1/permits ns since the limiter was made; a permit takes `nanos` of them. All sums stay
   * below 2^63: time is held at 2^62 steps, ten years at least, and a bucket takes 2^60 at most.
   *
   * The word alone orders decisions, and nothing else is published through it, so the compare-and-set
   * needs no more than its own atomicity.
   */

  private static final VarHandle ARRIVAL;
  private static final long MAX_STEPS = 1L << 62;
  private static final long GONE = Long.MIN_VALUE;

  static {
    try {
      ARRIVAL = MethodHandles.lookup().findVarHandle(ArrivalLimiter.class, "arrival", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final long origin;
  private final long permits;
  private final long nanos;
  private final long full;
  private volatile long arrival;

  ArrivalLimiter(Limit limit, Flow flow, long initial, long nowNanos) {
    super(limit);
    origin = nowNanos;
    permits = flow.permits();
    nanos = flow.nanos();
    full = flow.capacity() * nanos;
    arrival = (flow.capacity() - initial) * nanos;
  }

  @Override
  long tryTake(long cost, long nowNanos) {
    long now = steps(nowNanos);
    long increment = Math.max(cost, 1) * nanos;
    while (true) {
      long before = arrival;
      if (before == GONE) {
        return RETIRED;
      }
      long after = Math.max(now, before) + increment;
      long early = after - full - now;
      if (early > 0) {
        return -toNanosUp(early);
      }
      if (cost == 0) {
        return (increment - early) / nanos;
      }
      if (ARRIVAL.weakCompareAndSet(this, before, after)) {
        return -early / nanos;
      }
      Thread.onSpinWait();
    }
  }

  @Override
  public long available(long nowNanos) {
    long seen = arrival;
    if (seen == GONE) {
      return 0;
    }
    long now = steps(nowNanos);
    return Math.max(0, full - (Math.max(now, seen) - now)) / nanos;
  }

  @Override
  public long resetAt(long nowNanos) {
    long seen = arrival;
    long now = steps(nowNanos);
    return seen <= now ? nowNanos : WideMath.saturatedAdd(nowNanos, toNanosUp(seen - now));
  }

  @Override
  public long waitFor(long cost, long nowNanos) {
    long seen = arrival;
    if (seen == GONE) {
      return 0;
    }
    long now = steps(nowNanos);
    long debt = Math.max(0, seen - now);
    long room = full - debt;
    if (cost <= full / nanos) {
      return Math.max(0, toNanosUp(Math.max(0, cost * nanos - room)));
    }
    if (room >= 0) {
      long fraction = room % nanos;
      long missing = cost - room / nanos - 1; // whole permits, and one that is partly there
      return WideMath.multiplyAddDivide(missing, nanos, nanos - fraction + permits - 1, permits);
    }
    return WideMath.multiplyAddDivide(cost, nanos, permits - 1 - room, permits);
  }

  @Override
  boolean giveBack(long permitsBack, long takenAtNanos, long nowNanos) {
    long decrement = Math.min(permitsBack, full / nanos) * nanos;
    while (true) {
      long before = arrival;
      if (before == GONE) {
        return false;
      }
      // An arrival before now means a full bucket, whatever it is.
      long after = Math.max(0, before - decrement);
      if (ARRIVAL.weakCompareAndSet(this, before, after)) {
        return true;
      }
      Thread.onSpinWait();
    }
  }

  @Override
  long retire(long nowNanos) {
    long before = (long) ARRIVAL.getAndSet(this, GONE);
    if (before == GONE) {
      return -1;
    }
    long now = steps(nowNanos);
    return Math.max(0, full - (Math.max(now, before) - now)) / nanos;
  }

  @Override
  void inherit(Limiter predecessor, long remaining, long nowNanos) {
    arrival = full - remaining * nanos;
  }

  private long steps(long nowNanos) {
    long elapsed = nowNanos - origin;
    if (elapsed <= 0) {
      return 0;
    }
    return elapsed > MAX_STEPS / permits ? MAX_STEPS : elapsed * permits;
  }

  private long toNanosUp(long steps) {
    return (steps + permits - 1) / permits;
  }
}
