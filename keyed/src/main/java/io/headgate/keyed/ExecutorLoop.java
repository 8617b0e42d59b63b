package io.headgate.keyed;

import io.headgate.core.time.EventLoop;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Real time, and the timers of an executor of the application's. */
record ExecutorLoop(ScheduledExecutorService executor) implements EventLoop {

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public void execute(Runnable task) {
    executor.execute(task);
  }

  @Override
  public Timer schedule(long delayNanos, Runnable task) {
    ScheduledFuture<?> future =
        executor.schedule(task, Math.max(0, delayNanos), TimeUnit.NANOSECONDS);
    return () -> future.cancel(false);
  }

  @Override
  public boolean isCurrent() {
    return false; // it may have many threads
  }
}
