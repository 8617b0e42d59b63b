package io.headgate.envoy.proxy;

import io.headgate.core.time.EventLoop;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;

/** An event loop whose time passes when a test says so. */
final class VirtualLoop implements EventLoop {

  private record Task(long dueNanos, long order, Runnable run) {}

  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparingLong(Task::dueNanos).thenComparingLong(Task::order));

  /** Not zero, so that nothing relies on where time begins. */
  private long nowNanos = -Duration.ofDays(3).toNanos();

  private long given;

  @Override
  public long nanoTime() {
    return nowNanos;
  }

  @Override
  public void execute(Runnable task) {
    schedule(0, task);
  }

  @Override
  public Timer schedule(long delayNanos, Runnable task) {
    Task waiting = new Task(nowNanos + Math.max(0, delayNanos), given++, task);
    tasks.add(waiting);
    return () -> tasks.remove(waiting);
  }

  @Override
  public boolean isCurrent() {
    return true;
  }

  /** Runs what is due. */
  void run() {
    run(Duration.ZERO);
  }

  /** Lets time pass, running what becomes due on the way. */
  void run(Duration duration) {
    long endNanos = nowNanos + duration.toNanos();
    while (!tasks.isEmpty() && tasks.peek().dueNanos() <= endNanos) {
      Task next = tasks.remove();
      nowNanos = next.dueNanos();
      next.run().run();
    }
    nowNanos = endNanos;
  }
}
