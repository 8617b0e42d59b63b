package io.headgate.simulator.world;

import java.util.PriorityQueue;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * Virtual time: a queue of events that happen one after the other, in the order of their times and,
 * at one time, of their making.
 */
public final class World {

  private final PriorityQueue<Event> events = new PriorityQueue<>(1024);
  private final RandomGenerator seeds;
  private final long seed;
  private long nowNanos;
  private long made;
  private long happened;

  /** A world at time 0 in which all chance follows from {@code seed}. */
  public World(long seed) {
    this.seed = seed;
    seeds = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
  }

  /** The time since the world's beginning. */
  public long nowNanos() {
    return nowNanos;
  }

  /**
   * How far a node's clock is from the true time: by its name, and from no source of chance that
   * anything else follows from.
   *
   * @param mostNanos the most, either way
   */
  public long clockOffsetNanos(String node, long mostNanos) {
    RandomGenerator offsets =
        RandomGeneratorFactory.of("L64X128MixRandom").create(seed ^ node.hashCode());
    return mostNanos == 0 ? 0 : offsets.nextLong(-mostNanos, mostNanos + 1);
  }

  /** How many events have happened. */
  public long happened() {
    return happened;
  }

  /**
   * A source of chance of its own for one part of the world, so that parts do not disturb one
   * another's.
   */
  public RandomGenerator random() {
    return RandomGeneratorFactory.of("L64X128MixRandom").create(seeds.nextLong());
  }

  /** Makes {@code task} happen after a delay; a negative one counts as none. */
  public Event after(long delayNanos, Runnable task) {
    Event event = new Event(nowNanos + Math.max(0, delayNanos), made++, task);
    events.add(event);
    return event;
  }

  /** Lets events happen up to and including {@code untilNanos}, and brings the time there. */
  public void runUntil(long untilNanos) {
    while (!events.isEmpty() && events.peek().atNanos <= untilNanos) {
      Event event = events.remove();
      nowNanos = event.atNanos;
      if (!event.cancelled) {
        happened++;
        event.task.run();
      }
    }
    nowNanos = Math.max(nowNanos, untilNanos);
  }

  /** Something that will happen. */
  public static final class Event implements Comparable<Event> {

    private final long atNanos;
    private final long order;
    private final Runnable task;
    private boolean cancelled;

    private Event(long atNanos, long order, Runnable task) {
      this.atNanos = atNanos;
      this.order = order;
      this.task = task;
    }

    /** Keeps it from happening. */
    public void cancel() {
      cancelled = true;
    }

    @Override
    public int compareTo(Event other) {
      return atNanos == other.atNanos
          ? Long.compare(order, other.order)
          : Long.compare(atNanos, other.atNanos);
    }

    @Override
    public boolean equals(Object o) {
      return this == o;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(order);
    }
  }
}
