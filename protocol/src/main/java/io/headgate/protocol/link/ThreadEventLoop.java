package io.headgate.protocol.link;

import io.headgate.core.time.EventLoop;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** An event loop that is a daemon thread in real time. */
public final class ThreadEventLoop implements EventLoop, AutoCloseable {

  private static final long CLOSE_TIMEOUT_SECONDS = 5;

  private final ScheduledThreadPoolExecutor executor;
  private volatile @Nullable Thread thread;

  private ThreadEventLoop(String name) {
    executor =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread created = new Thread(task, name);
              created.setDaemon(true);
              thread = created;
              return created;
            });
    executor.setRemoveOnCancelPolicy(true);
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  /** Starts a loop whose thread has this name. */
  public static ThreadEventLoop start(String name) {
    return new ThreadEventLoop(name);
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public void execute(Runnable task) {
    try {
      executor.execute(() -> run(task));
    } catch (RejectedExecutionException e) {
      // The loop is closed and what lived on it with it; like a link, it loses what comes after.
    }
  }

  @Override
  public Timer schedule(long delayNanos, Runnable task) {
    try {
      ScheduledFuture<?> future =
          executor.schedule(() -> run(task), Math.max(0, delayNanos), TimeUnit.NANOSECONDS);
      return () -> future.cancel(false);
    } catch (RejectedExecutionException e) {
      return () -> {};
    }
  }

  @Override
  public boolean isCurrent() {
    return Thread.currentThread() == thread;
  }

  /**
   * Ends the loop after the tasks that were given to {@link #execute} before; timers are forgotten.
   */
  @Override
  public void close() {
    executor.shutdown();
    if (isCurrent()) {
      return;
    }
    try {
      if (!executor.awaitTermination(CLOSE_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        executor.shutdownNow();
      }
    } catch (InterruptedException e) {
      executor.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  /** One task that fails must neither end the loop nor vanish silently. */
  private static void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      Thread current = Thread.currentThread();
      current.getUncaughtExceptionHandler().uncaughtException(current, e);
    }
  }
}
