package io.headgate.core.time;

/**
 * A single-threaded home for state: tasks run one after the other, and the loop is also the clock
 * and the timer of what lives on it. Production loops are a thread; the simulator's is a queue of
 * events in virtual time.
 */
public interface EventLoop {

  /** The time in nanoseconds from an arbitrary origin. It never goes back. */
  long nanoTime();

  /** Runs {@code task} on the loop, after those given before it. May be called from any thread. */
  void execute(Runnable task);

  /**
   * Runs {@code task} on the loop once {@code delayNanos} have passed. May be called from any
   * thread.
   *
   * @param delayNanos the delay; zero or less means as soon as possible
   */
  Timer schedule(long delayNanos, Runnable task);

  /** Whether the calling thread is the loop's own. */
  boolean isCurrent();

  /** A task that waits for its time. */
  interface Timer {

    /** Forgets the task unless it has run already. Call it on the loop. */
    void cancel();
  }
}
