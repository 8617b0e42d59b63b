package io.headgate.server.demo.load;

import java.util.concurrent.locks.LockSupport;

/**
 * Makes calls when they are due, whatever became of those before (open loop), on a thread of its
 * own. It wakes up a few hundred times a second and makes all that has become due.
 *
 * <p>When the machine has kept it from running it makes up for that, but not in one burst, which
 * would be a load that nobody asked for: it catches up a tenth faster than time passes.
 */
public final class LoadGenerator implements AutoCloseable {

  private static final long WAKE_UP_NANOS = 4_000_000;
  private static final long LATE_NANOS = 5 * WAKE_UP_NANOS;
  private static final double CATCH_UP_SPEED = 1.1;
  private static final double NANOS_PER_SECOND = 1e9;

  private final Arrivals arrivals;
  private final long beganNanos = System.nanoTime();
  private final Thread thread;
  private volatile boolean closed;

  private LoadGenerator(Arrivals arrivals) {
    this.arrivals = arrivals;
    thread = new Thread(this::run, "load");
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
    long last = beganNanos;
    double loadNanos = 0;
    while (!closed) {
      long now = System.nanoTime();
      loadNanos = advance(loadNanos, now - last, now - beganNanos);
      last = now;
      arrivals.advanceTo(loadNanos / NANOS_PER_SECOND);
      LockSupport.parkNanos(WAKE_UP_NANOS);
    }
  }

  /**
   * The time up to which calls are due now.
   *
   * @param loadNanos up to which they were the time before
   * @param sinceLastNanos how long ago that was
   * @param elapsedNanos since the load began
   */
  static double advance(double loadNanos, long sinceLastNanos, long elapsedNanos) {
    double most = CATCH_UP_SPEED * Math.min(sinceLastNanos, LATE_NANOS);
    return Math.min(elapsedNanos, loadNanos + most);
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
