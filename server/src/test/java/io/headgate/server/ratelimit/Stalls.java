package io.headgate.server.ratelimit;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Watches how late this machine runs a thread that has nothing to wait for but its turn, so that a
 * time of a few milliseconds can be held against the program and not against what else runs here.
 */
final class Stalls implements AutoCloseable {

  private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

  private final AtomicLong longest = new AtomicLong();
  private final Thread thread = new Thread(this::watch, "stalls");
  private volatile boolean closed;

  Stalls() {
    thread.setDaemon(true);
    thread.start();
  }

  private void watch() {
    while (!closed) {
      long before = System.nanoTime();
      LockSupport.parkNanos(PAUSE_NANOS);
      long late = System.nanoTime() - before - PAUSE_NANOS;
      longest.accumulateAndGet(late, Math::max);
    }
  }

  /** The longest since it was asked last, in milliseconds. */
  double millis() {
    return longest.getAndSet(0) / 1e6;
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
