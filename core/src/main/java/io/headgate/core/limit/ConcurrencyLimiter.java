package io.headgate.core.limit;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** At most {@code limit} permits in use at the same time. Lock-free. */
public final class ConcurrencyLimiter {

  private static final Runnable NOBODY = () -> {};

  private final AtomicLong inUse = new AtomicLong();
  private volatile long limit;
  private volatile Runnable waiting = NOBODY;

  /**
   * @param limit permits, 1 to 2<sup>53</sup> - 1
   * @throws IllegalArgumentException if it is out of range
   */
  public ConcurrencyLimiter(long limit) {
    LimitBounds.permits("limit", limit);
    this.limit = limit;
  }

  /**
   * Takes permits until they are released.
   *
   * @param cost permits, 0 or more
   * @return the permits, or null if there are not enough
   * @throws IllegalArgumentException if the cost is negative
   */
  public @Nullable Permits tryAcquire(long cost) {
    return tryTake(cost) ? new Permits(cost) : null;
  }

  /**
   * Like {@link #tryAcquire} without an object to hold: the caller gives back by {@link #giveBack}
   * what it took, once.
   */
  public boolean tryTake(long cost) {
    if (cost < 0) {
      throw new IllegalArgumentException("cost: " + cost + " (expected: 0 or more)");
    }
    while (true) {
      long before = inUse.get();
      if (Math.max(cost, 1) > limit - before) {
        return false;
      }
      if (cost == 0 || inUse.compareAndSet(before, before + cost)) {
        return true;
      }
      Thread.onSpinWait();
    }
  }

  /**
   * Gives back what {@link #tryTake} took.
   *
   * @throws IllegalStateException if more is given back than is in use
   */
  public void giveBack(long cost) {
    while (true) {
      long before = inUse.get();
      if (cost < 0 || cost > before) {
        throw new IllegalStateException(
            "given back: " + cost + " (expected: 0 to the " + before + " in use)");
      }
      if (inUse.compareAndSet(before, before - cost)) {
        waiting.run();
        return;
      }
      Thread.onSpinWait();
    }
  }

  /**
   * Sets another limit. What is in use beyond a lower one stays in use until it is given back.
   *
   * @param permits 1 to 2<sup>53</sup> - 1
   * @throws IllegalArgumentException if it is out of range
   */
  public void changeLimit(long permits) {
    LimitBounds.permits("limit", permits);
    limit = permits;
    waiting.run();
  }

  /** The most permits in use at the same time. */
  public long limit() {
    return limit;
  }

  /** The permits in use now. */
  public long inUse() {
    return inUse.get();
  }

  /** The permits that could be taken now. */
  public long available() {
    return Math.max(0, limit - inUse.get());
  }

  /** Who is told, from now on, that there may be permits again. */
  void tell(Runnable queue) {
    waiting = queue;
  }

  /** Permits in use. Closing gives them back, once however often it is called. */
  public final class Permits implements AutoCloseable {

    private final long count;
    private final AtomicBoolean released = new AtomicBoolean();

    private Permits(long count) {
      this.count = count;
    }

    /** Gives the permits back unless that was done before. Any thread may call it. */
    @Override
    public void close() {
      if (released.compareAndSet(false, true)) {
        giveBack(count);
      }
    }
  }
}
