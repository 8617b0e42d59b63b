package io.headgate.keyed.ring.discovery;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
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

  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;

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

  private void run(Look look) {
    try {
      while (closed.getCount() > 0) {
        Duration delay = look.look();
        if (closed.await(delay.toNanos(), TimeUnit.NANOSECONDS)) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // closed
    }
  }

  /** Ends it; a look that waits is interrupted. */
  @Override
  public void close() {
    closed.countDown();
    thread.interrupt();
  }
}
