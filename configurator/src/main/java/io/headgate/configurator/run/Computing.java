package io.headgate.configurator.run;

import io.headgate.configurator.source.SourceException;
import org.jspecify.annotations.Nullable;

/** The part of a run that may be broken off. What is written is written to its end. */
final class Computing {

  private @Nullable Thread thread;
  private @Nullable RunResult brokenOff;
  private boolean stopped;

  /** Something that takes long. */
  interface Task<T> {
    T run() throws SourceException, InterruptedException;
  }

  /**
   * Runs a task.
   *
   * @throws InterruptedException if it was broken off
   */
  <T> T run(Task<T> task) throws SourceException, InterruptedException {
    synchronized (this) {
      if (brokenOff != null) {
        throw new InterruptedException();
      }
      thread = Thread.currentThread();
    }
    T result;
    try {
      result = task.run();
    } finally {
      synchronized (this) {
        thread = null;
        // An interruption that came too late must not meet what comes next.
        Thread.interrupted();
      }
    }
    if (brokenOff() != null) {
      throw new InterruptedException(); // it was done before it noticed
    }
    return result;
  }

  /** Breaks off what runs, and what would be run until {@link #resume}. */
  synchronized void breakOff(RunResult why) {
    brokenOff = brokenOff == null ? why : brokenOff;
    stopped = stopped || why == RunResult.STOPPED;
    if (thread != null) {
      thread.interrupt();
    }
  }

  /** Why it was broken off; null if it was not. */
  synchronized @Nullable RunResult brokenOff() {
    return brokenOff;
  }

  /** Whether the end has come. */
  synchronized boolean isStopped() {
    return stopped;
  }

  /** Allows another task, unless the end has come. */
  synchronized void resume() {
    brokenOff = stopped ? RunResult.STOPPED : null;
  }
}
