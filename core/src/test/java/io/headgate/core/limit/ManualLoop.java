package io.headgate.core.limit;

import io.headgate.core.time.EventLoop;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Time that a test moves. */
final class ManualLoop implements EventLoop {

  private record Task(long at, long number, Runnable what) {}

  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparingLong(Task::at).thenComparingLong(Task::number));
  private long now;
  private long number;

  void advance(long nanos) {
    long until = now + nanos;
    while (!tasks.isEmpty() && tasks.peek().at() <= until) {
      Task task = tasks.remove();
      now = Math.max(now, task.at());
      task.what().run();
    }
    now = until;
  }

  int pending() {
    return tasks.size();
  }

  @Override
  public long nanoTime() {
    return now;
  }

  @Override
  public void execute(Runnable task) {
    schedule(0, task);
  }

  @Override
  public Timer schedule(long delayNanos, Runnable what) {
    Task task = new Task(now + Math.max(0, delayNanos), number++, what);
    tasks.add(task);
    return () -> tasks.remove(task);
  }

  @Override
  public boolean isCurrent() {
    return true;
  }
}
