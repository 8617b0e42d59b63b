package io.headgate.control;

import io.headgate.core.time.EventLoop;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * An event loop in virtual time, run by the test that holds it. Tasks that are due at the same time
 * run in the order in which they were given.
 */
public final class VirtualEventLoop implements EventLoop {

  /** More tasks than this at one instant are a loop that never ends. */
  private static final int MAX_TASKS_AT_ONCE = 1_000_000;

  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(
          Comparator.comparingLong((Task task) -> task.atNanos)
              .thenComparingLong(task -> task.order));
  private long nowNanos;
  private long given;

  /** Starts at an arbitrary time, so that nothing relies on an origin of zero. */
  public VirtualEventLoop() {
    this(-Duration.ofHours(1).toNanos());
  }

  /** Starts at this time. */
  public VirtualEventLoop(long startNanos) {
    nowNanos = startNanos;
  }

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

  /** The test is on the loop. */
  @Override
  public boolean isCurrent() {
    return true;
  }

  /** Lets time pass in which nothing runs: what becomes due comes late. */
  public void stall(Duration duration) {
    nowNanos += duration.toNanos();
  }

  /** Runs what is due now. */
  public void run() {
    runFor(Duration.ZERO);
  }

  /** Lets time pass, and runs what becomes due on the way. */
  public void runFor(Duration duration) {
    long endNanos = nowNanos + duration.toNanos();
    int atOnce = 0;
    for (Task next = tasks.peek();
        next != null && next.atNanos - endNanos <= 0;
        next = tasks.peek()) {
      tasks.remove();
      atOnce = next.atNanos == nowNanos ? atOnce + 1 : 0;
      if (atOnce > MAX_TASKS_AT_ONCE) {
        throw new IllegalStateException(
            "more than " + MAX_TASKS_AT_ONCE + " tasks at " + nowNanos + " ns");
      }
      nowNanos = Math.max(nowNanos, next.atNanos);
      next.run.run();
    }
    nowNanos = endNanos;
  }

  private static final class Task {
    private final long atNanos;
    private final long order;
    private final Runnable run;

    Task(long atNanos, long order, Runnable run) {
      this.atNanos = atNanos;
      this.order = order;
      this.run = run;
    }
  }
}
