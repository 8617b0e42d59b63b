package io.headgate.keyed.ring.discovery;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Looks at a source again and again, on a thread of its own, until it is closed. */
public final class Polling implements AutoCloseable {

  /** One look at the source. */
  @FunctionalInterface
  public interface Look {

    /**
     * Looks, and says when to look again.
     *
     * @throws InterruptedException if the thread was interrupted, which ends the polling
     */
    Duration look() throws InterruptedException;
  }

  private static final System.Logger log = System.getLogger(Polling.class.getName());

  private static final Duration AFTER_FAILURE = Duration.ofSeconds(5);

  private final Semaphore awake = new Semaphore(0);
  private final Thread thread;
  private volatile boolean closed;

  private Polling(String name, Look look) {
    thread = new Thread(() -> run(look), name);
    thread.setDaemon(true);
  }

  /** Looks for the first time soon, in the new thread. */
  public static Polling start(String threadName, Look look) {
    Polling polling = new Polling(threadName, look);
    polling.thread.start();
    return polling;
  }

  /** Looks again at once, or after the look that is under way. */
  public void wake() {
    awake.release();
  }

  private void run(Look look) {
    try {
      while (!closed) {
        awake.drainPermits();
        Duration delay = look(look);
        boolean woken = awake.tryAcquire(delay.toNanos(), TimeUnit.NANOSECONDS);
        log.log(Level.TRACE, () -> thread.getName() + (woken ? ": woken" : ": time to look"));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // closed
    }
  }

  /** A mistake of ours must not end the search for peers. */
  private Duration look(Look look) throws InterruptedException {
    try {
      return look.look();
    } catch (RuntimeException e) {
      if (!closed) {
        log.log(Level.ERROR, thread.getName() + ": a look for peers failed; the last ones stay", e);
      }
      return AFTER_FAILURE;
    }
  }

  /** Ends it; a look that waits is interrupted. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }

  /**
   * Waits for the thread to end.
   *
   * @return whether it has
   */
  public boolean awaitEnd(Duration longest) throws InterruptedException {
    thread.join(longest.toMillis());
    return !thread.isAlive();
  }
}
