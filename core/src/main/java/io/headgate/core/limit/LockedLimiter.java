package io.headgate.core.limit;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A limiter whose state takes more than one word: a spin lock guards it for the few instructions of
 * a decision. Not lock-free: a thread that loses its processor inside holds up the others, which
 * then yield theirs.
 */
abstract sealed class LockedLimiter extends Limiter
    permits FlowLimiter,
        IntervalLimiter,
        FixedWindowLimiter,
        LogLimiter,
        CounterLimiter,
        SegmentedLimiter {

  /*
   * Why not `synchronized`: under contention it becomes a monitor that parks threads for sections of
   * some ten nanoseconds. The lock is taken with acquire and given back with release semantics, which
   * is all that plain fields inside it need.
   */

  private static final VarHandle LOCK;

  private static final int FREE = 0;
  private static final int HELD = 1;

  static {
    try {
      LOCK = MethodHandles.lookup().findVarHandle(LockedLimiter.class, "lock", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("unused") // by LOCK
  private int lock;

  /** Guarded by the lock, as are all fields of subclasses that change. */
  private boolean retired;

  LockedLimiter(Limit limit) {
    super(limit);
  }

  @Override
  final long tryTake(long cost, long nowNanos) {
    lock();
    try {
      if (retired) {
        return RETIRED;
      }
      long answer = look(cost, nowNanos);
      if (answer >= 0 && cost > 0) {
        charge(cost);
      }
      return answer;
    } finally {
      unlock();
    }
  }

  @Override
  final long look(long cost, long nowNanos) {
    advance(nowNanos);
    long need = Math.max(cost, 1);
    long left = left() - need;
    if (left < 0) {
      return -wait(need, nowNanos);
    }
    return cost == 0 ? left + 1 : left;
  }

  @Override
  public final boolean isRetired() {
    lock();
    try {
      return retired;
    } finally {
      unlock();
    }
  }

  @Override
  final boolean hold() {
    lock();
    if (retired) {
      unlock();
      return false;
    }
    return true;
  }

  @Override
  final void takeHeld(long cost, long nowNanos) {
    charge(cost);
  }

  @Override
  final void release() {
    unlock();
  }

  @Override
  public final long available(long nowNanos) {
    lock();
    try {
      if (retired) {
        return 0;
      }
      advance(nowNanos);
      return Math.max(0, left());
    } finally {
      unlock();
    }
  }

  @Override
  public final long resetAt(long nowNanos) {
    lock();
    try {
      advance(nowNanos);
      return Math.max(nowNanos, full());
    } finally {
      unlock();
    }
  }

  @Override
  public final long waitFor(long cost, long nowNanos) {
    lock();
    try {
      advance(nowNanos);
      return cost <= left() ? 0 : wait(cost, nowNanos);
    } finally {
      unlock();
    }
  }

  @Override
  final boolean giveBack(long permits, long takenAtNanos, long nowNanos) {
    lock();
    try {
      if (retired) {
        return false;
      }
      advance(nowNanos);
      return uncharge(permits, takenAtNanos);
    } finally {
      unlock();
    }
  }

  @Override
  final long makeRoom(long permits, long nowNanos) {
    lock();
    try {
      if (retired) {
        return -1;
      }
      advance(nowNanos);
      forgive(Math.min(permits, limit().limit() - left()));
      return Math.max(0, left());
    } finally {
      unlock();
    }
  }

  @Override
  final long retire(long nowNanos) {
    lock();
    try {
      if (retired) {
        return -1;
      }
      advance(nowNanos);
      retired = true;
      return Math.max(0, left());
    } finally {
      unlock();
    }
  }

  /** Looks at the state as the last request left it, so that looking is no use of it. */
  @Override
  final boolean retireIfFullSince(long nanos) {
    lock();
    try {
      retired |= full() <= nanos;
      return retired;
    } finally {
      unlock();
    }
  }

  @Override
  void inherit(Limiter predecessor, long remaining, long nowNanos) {
    charge(limit().limit() - remaining);
  }

  /** Brings the state to the time given, or leaves it if that lies behind. */
  abstract void advance(long nowNanos);

  /** The permits that are left at the time of the state. */
  abstract long left();

  /** Takes permits that are there. */
  abstract void charge(long cost);

  /** Undoes {@link #charge}; whether the permits were still counted. */
  abstract boolean uncharge(long permits, long takenAtNanos);

  /** Undoes the latest charges, {@code permits} of them; at most what is missing now. */
  abstract void forgive(long permits);

  /** How long from {@code nowNanos} until {@code cost} permits, more than are left, are there. */
  abstract long wait(long cost, long nowNanos);

  /** When all permits are back; the time of the state, or before, if they are. */
  abstract long full();

  private void lock() {
    if (!LOCK.weakCompareAndSetAcquire(this, FREE, HELD)) {
      await();
    }
  }

  private void unlock() {
    LOCK.setRelease(this, FREE);
  }

  private void await() {
    int tries = 0;
    do {
      tries = Backoff.pause(tries);
    } while ((int) LOCK.getOpaque(this) != FREE
        || !LOCK.weakCompareAndSetAcquire(this, FREE, HELD));
  }
}
