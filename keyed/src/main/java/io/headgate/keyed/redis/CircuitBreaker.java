package io.headgate.keyed.redis;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps requests from a store that does not answer: after some failures in a row it lets one try
 * through each pause, until one succeeds. Lock-free.
 */
final class CircuitBreaker {

  private static final long CLOSED = Long.MIN_VALUE;

  private final int failuresToOpen;
  private final long pauseNanos;
  private final AtomicInteger failures = new AtomicInteger();
  private final AtomicLong nextTry = new AtomicLong(CLOSED);

  CircuitBreaker(int failuresToOpen, long pauseNanos) {
    this.failuresToOpen = failuresToOpen;
    this.pauseNanos = pauseNanos;
  }

  /** Whether the store may be asked now. While open, one caller a pause hears yes. */
  boolean allows(long nowNanos) {
    long due = nextTry.get();
    return due == CLOSED
        || (nowNanos - due >= 0 && nextTry.compareAndSet(due, nowNanos + pauseNanos));
  }

  boolean isOpen() {
    return nextTry.get() != CLOSED;
  }

  /** Whether this success is the one that closed it. */
  boolean succeeded() {
    if (failures.get() != 0) {
      failures.set(0);
    }
    return nextTry.get() != CLOSED && nextTry.getAndSet(CLOSED) != CLOSED;
  }

  /** Whether this failure is the one that opened it. */
  boolean failed(long nowNanos) {
    return failures.incrementAndGet() >= failuresToOpen
        && nextTry.compareAndSet(CLOSED, nowNanos + pauseNanos);
  }
}
