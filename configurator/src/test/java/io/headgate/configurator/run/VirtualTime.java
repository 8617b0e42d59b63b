package io.headgate.configurator.run;

import io.headgate.core.time.EventLoop;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.Executor;

/** Time that the test lets pass, and the work that is done in no time after each of its events. */
final class VirtualTime implements EventLoop, InstantSource {

  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparingLong(Task::atNanos).thenComparingLong(Task::order));
  private final Queue<Runnable> work = new ArrayDeque<>();
  private final Instant start;
  private long nanos;
  private long given;

  VirtualTime(Instant start) {
    this.start = start;
  }

  private record Task(long atNanos, long order, Runnable run) {}

  @Override
  public long nanoTime() {
    return nanos;
  }

  @Override
  public Instant instant() {
    return start.plusNanos(nanos);
  }

  /** A task of the loop. */
  @Override
  public void execute(Runnable task) {
    schedule(0, task);
  }

  /** Does work for loops that live in this time. */
  Executor worker() {
    return work::add;
  }

  @Override
  public Timer schedule(long delayNanos, Runnable task) {
    Task waiting = new Task(nanos + Math.max(0, delayNanos), given++, task);
    tasks.add(waiting);
    return () -> tasks.remove(waiting);
  }

  @Override
  public boolean isCurrent() {
    return true;
  }

  /** Forgets all that waits, as it is when processes die. */
  void forget() {
    tasks.clear();
    work.clear();
  }

  /** Lets time pass; in the middle of work too, and then what others have to do is done. */
  void pass(Duration duration) {
    long end = nanos + duration.toNanos();
    work();
    for (Task next = tasks.peek(); next != null && next.atNanos() <= end; next = tasks.peek()) {
      tasks.remove();
      nanos = Math.max(nanos, next.atNanos());
      next.run().run();
      work();
    }
    nanos = Math.max(nanos, end);
  }

  private void work() {
    for (Runnable task = work.poll(); task != null; task = work.poll()) {
      task.run();
    }
  }

  /** Lets time pass until a moment. */
  void until(String moment) {
    pass(Duration.between(instant(), Instant.parse(moment)));
  }
}
