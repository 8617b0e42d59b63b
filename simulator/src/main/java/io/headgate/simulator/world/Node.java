package io.headgate.simulator.world;

import io.headgate.core.time.EventLoop;
import java.util.ArrayList;
import java.util.List;

/**
 * A process in the world: an event loop with a clock of its own. A killed node does nothing any
 * more; a paused one does what it missed when it goes on, like a process after SIGSTOP and SIGCONT.
 */
public final class Node implements EventLoop {

  private final World world;
  private final String name;
  private final String place;
  private final long clockOffsetNanos;
  private final double clockDrift;
  private final List<Runnable> missed = new ArrayList<>();
  private WorkMeter meter = WorkMeter.NONE;
  private long taskNanos;
  private long busyUntilNanos;
  private long lateNanos;
  private boolean alive = true;
  private boolean paused;
  private long resumedNanos;

  /**
   * A running node.
   *
   * @param name for people
   * @param place what can be cut off together, such as a zone
   * @param clockOffsetNanos how far its clock is from the world's
   */
  public Node(World world, String name, String place, long clockOffsetNanos) {
    this(world, name, place, clockOffsetNanos, 0);
  }

  /**
   * A running node.
   *
   * @param clockDrift by how much its clock is faster than the world's, as a part
   */
  public Node(World world, String name, String place, long clockOffsetNanos, double clockDrift) {
    this.world = world;
    this.name = name;
    this.place = place;
    this.clockOffsetNanos = clockOffsetNanos;
    this.clockDrift = clockDrift;
  }

  /** Has {@code meter} told of all that runs from now on. */
  public void measure(WorkMeter meter) {
    this.meter = meter;
  }

  /** From now on each task takes so long, and those that come meanwhile wait in turn. */
  public void slow(long taskNanos) {
    this.taskNanos = taskNanos;
  }

  /** By how much a task that had been set for a time came late at most, since this was asked. */
  public long takeLateNanos() {
    long late = lateNanos;
    lateNanos = 0;
    return late;
  }

  World world() {
    return world;
  }

  /** For people. */
  public String name() {
    return name;
  }

  /** What can be cut off together with it. */
  public String place() {
    return place;
  }

  /** Whether it has not been killed. */
  public boolean isAlive() {
    return alive;
  }

  /** Whether it runs: neither killed nor paused. */
  public boolean isRunning() {
    return alive && !paused;
  }

  /** Ends it, with all that it was about to do. */
  public void kill() {
    alive = false;
    missed.clear();
  }

  /** Stops it until {@link #resume()}; its clock goes on. */
  public void pause() {
    paused = true;
  }

  /** When, in the world's time, it was stopped and let go on last; 0 if it never was. */
  public long resumedNanos() {
    return resumedNanos;
  }

  /** Lets it do what it missed, and go on. */
  public void resume() {
    paused = false;
    resumedNanos = world.nowNanos();
    List<Runnable> tasks = List.copyOf(missed);
    missed.clear();
    tasks.forEach(this::execute);
  }

  @Override
  public long nanoTime() {
    return world.nowNanos() + Math.round(clockDrift * world.nowNanos()) + clockOffsetNanos;
  }

  @Override
  public void execute(Runnable task) {
    world.after(0, () -> run(task));
  }

  @Override
  public Timer schedule(long delayNanos, Runnable task) {
    long inWorld =
        clockDrift == 0 ? delayNanos : Math.round(Math.ceil(delayNanos / (1 + clockDrift)));
    World.Event event = world.after(inWorld, () -> run(task, delayNanos));
    return event::cancel;
  }

  @Override
  public boolean isCurrent() {
    return true; // The world has one thread.
  }

  /** Runs a task now, later if the node is paused, and never if it has been killed. */
  void run(Runnable task) {
    run(task, 0);
  }

  private void run(Runnable task, long aheadNanos) {
    long now = world.nowNanos();
    long waitNanos = Math.max(0, busyUntilNanos - now);
    if (taskNanos > 0 || waitNanos > 0) {
      busyUntilNanos = now + waitNanos + taskNanos;
    }
    if (waitNanos == 0) {
      runNow(task, aheadNanos);
      return;
    }
    if (aheadNanos > 0) {
      lateNanos = Math.max(lateNanos, waitNanos);
    }
    world.after(waitNanos, () -> runNow(task, aheadNanos));
  }

  private void runNow(Runnable task, long aheadNanos) {
    if (paused) {
      missed.add(task);
    } else if (alive && meter == WorkMeter.NONE) {
      task.run();
    } else if (alive) {
      long begun = meter.begin(aheadNanos);
      task.run();
      meter.end(aheadNanos, begun);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
