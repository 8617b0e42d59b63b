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
   *
   * A word below 0 is held by a joint decision, and its complement is the arrival; or it is gone.
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
    while (true) {
      long before = arrival;
      if (before < 0) {
        if (before == GONE) {
          return RETIRED;
        }
        awaitRelease();
        continue;
      }
      long answer = look(before, cost, now);
      if (answer < 0 || cost == 0) {
        return answer;
      }
      if (ARRIVAL.weakCompareAndSet(this, before, Math.max(now, before) + cost * nanos)) {
        return answer;
      }
      Thread.onSpinWait();
    }
  }

  private long look(long before, long cost, long now) {
    long increment = Math.max(cost, 1) * nanos;
    long early = Math.max(now, before) + increment - full - now;
    if (early > 0) {
      return -toNanosUp(early);
    }
    return (cost == 0 ? increment - early : -early) / nanos;
  }

  @Override
  public boolean isRetired() {
    return arrival == GONE;
  }

  @Override
  boolean hold() {
    while (true) {
      long before = arrival;
      if (before == GONE) {
        return false;
      }
      if (before < 0) {
        awaitRelease();
      } else if (ARRIVAL.weakCompareAndSet(this, before, ~before)) {
        return true;
      }
    }
  }

  @Override
  long look(long cost, long nowNanos) {
    return look(~arrival, cost, steps(nowNanos));
  }

  @Override
  void takeHeld(long cost, long nowNanos) {
    arrival = ~(Math.max(steps(nowNanos), ~arrival) + cost * nanos);
  }

  @Override
  void release() {
    arrival = ~arrival;
  }

  private void awaitRelease() {
    int tries = 0;
    while (arrival < 0 && arrival != GONE) {
      tries = Backoff.pause(tries);
    }
  }

  /** The arrival, which a joint decision may hold without having changed it yet, or GONE. */
  private long seen() {
    long seen = arrival;
    return seen < 0 && seen != GONE ? ~seen : seen;
  }

  @Override
  public long available(long nowNanos) {
    long seen = seen();
    return seen == GONE ? 0 : left(seen, steps(nowNanos));
  }

  private long left(long seen, long now) {
    return Math.max(0, full - (Math.max(now, seen) - now)) / nanos;
  }

  @Override
  public long resetAt(long nowNanos) {
    long seen = seen();
    long now = steps(nowNanos);
    return seen <= now ? nowNanos : WideMath.saturatedAdd(nowNanos, toNanosUp(seen - now));
  }

  @Override
  public long waitFor(long cost, long nowNanos) {
    long seen = seen();
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
      long before = settled();
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
  long makeRoom(long permitsBack, long nowNanos) {
    return giveBack(permitsBack, nowNanos, nowNanos) ? available(nowNanos) : -1;
  }

  /** The arrival once no joint decision holds it, or GONE. */
  private long settled() {
    long before = arrival;
    if (before < 0 && before != GONE) {
      awaitRelease();
      return settled();
    }
    return before;
  }

  @Override
  long retire(long nowNanos) {
    while (true) {
      long before = settled();
      if (before == GONE) {
        return -1;
      }
      if (ARRIVAL.compareAndSet(this, before, GONE)) {
        return left(before, steps(nowNanos));
      }
    }
  }

  @Override
  boolean retireIfFullSince(long nanos) {
    long before = settled();
    return before == GONE || (before <= steps(nanos) && ARRIVAL.compareAndSet(this, before, GONE));
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
