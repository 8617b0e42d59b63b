package io.headgate.server.command;

import io.headgate.server.terminal.UserError;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** When a program has to end: on a signal, or when its parent is gone. */
public final class Termination {

  /** How long a drain may take once a signal has come, where nothing else is said. */
  private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(10);

  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch finished = new CountDownLatch(1);
  private final Duration drainTimeout;
  private volatile int exitCode;

  private Termination(Duration drainTimeout) {
    this.drainTimeout = drainTimeout;
  }

  /** Holds the end of the process back, when a signal asks for it, until {@link #finished}. */
  public static Termination onSignal() {
    return onSignal(DRAIN_TIMEOUT);
  }

  /** Likewise, for no longer than this. */
  static Termination onSignal(Duration drainTimeout) {
    Termination termination = new Termination(drainTimeout);
    Runtime.getRuntime().addShutdownHook(new Thread(termination::shutDown, "shutdown"));
    return termination;
  }

  /** Something that runs until the process is told to end. */
  interface Running {

    /** Where it is, as {@code grpc HOST:PORT http HOST:PORT}. */
    String places();

    /** Ends it in good order. */
    void drain() throws InterruptedException;
  }

  /**
   * Starts something, says on {@code out} where it is, waits until the process is told to end, and
   * drains it.
   *
   * @param withParent whether the end of standard input is such a word too
   * @param drainTimeout how long the drain may take once a signal has come
   * @return the exit code
   */
  static int run(
      Supplier<Running> start, PrintWriter out, boolean withParent, Duration drainTimeout)
      throws InterruptedException {
    Termination termination = onSignal(drainTimeout);
    int exitCode = UserError.FAILED;
    try {
      if (withParent) {
        termination.onEndOf(System.in);
      }
      Running running = start.get();
      out.println("ready: " + running.places());
      out.flush();
      termination.await();
      running.drain();
      exitCode = 0;
    } finally {
      termination.finished(exitCode);
    }
    return exitCode;
  }

  private void shutDown() {
    if (finished.getCount() == 0) {
      return;
    }
    asked.countDown();
    try {
      if (finished.await(drainTimeout.toMillis(), TimeUnit.MILLISECONDS)) {
        // Without this a process that a signal has ended reports the signal, although it did all it
        // was asked to do.
        Runtime.getRuntime().halt(exitCode);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Asks for the end when {@code in} ends. */
  void onEndOf(InputStream in) {
    Thread watcher =
        new Thread(
            () -> {
              try {
                in.transferTo(OutputStream.nullOutputStream());
              } catch (IOException e) {
                // As good as its end: whoever held the other side is gone.
              }
              asked.countDown();
            },
            "parent-watch");
    watcher.setDaemon(true);
    watcher.start();
  }

  /** Waits until the end is asked for. */
  void await() throws InterruptedException {
    asked.await();
  }

  /** Waits until the end is asked for, but no longer than this; returns whether it is. */
  public boolean await(long millis) throws InterruptedException {
    return asked.await(millis, TimeUnit.MILLISECONDS);
  }

  /** Everything is done; the process may end, with this exit code. */
  public void finished(int exitCode) {
    this.exitCode = exitCode;
    finished.countDown();
  }
}
