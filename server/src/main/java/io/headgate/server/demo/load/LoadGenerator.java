package io.headgate.server.demo.load;

import java.util.concurrent.locks.LockSupport;

/**
 * Makes calls when they are due, whatever became of those before (open loop), on a thread of its
 * own. It wakes up a few hundred times a second and makes all that has become due, so that the rate
 * is kept also when the machine is busy.
 */
public final class LoadGenerator implements AutoCloseable {

  private static final long WAKE_UP_NANOS = 4_000_000;
  private static final double NANOS_PER_SECOND = 1e9;

  private final Arrivals arrivals;
  private final long beganNanos = System.nanoTime();
  private final Thread thread;
  private volatile boolean closed;

  private LoadGenerator(Arrivals arrivals) {
    this.arrivals = arrivals;
    thread = new Thread(this::run, "demo-load");
    thread.setDaemon(true);
  }

  /** Begins at once. */
  public static LoadGenerator start(Arrivals arrivals) {
    LoadGenerator generator = new LoadGenerator(arrivals);
    generator.thread.start();
    return generator;
  }

  /** When the load began, on the clock of {@link System#nanoTime()}. */
  public long beganNanos() {
    return beganNanos;
  }

  /** How long the load has been on. */
  public double elapsedSeconds() {
    return (System.nanoTime() - beganNanos) / NANOS_PER_SECOND;
  }

  private void run() {
    while (!closed) {
      arrivals.advanceTo(elapsedSeconds());
      LockSupport.parkNanos(WAKE_UP_NANOS);
    }
  }

  /** Makes no more calls once this returns. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
