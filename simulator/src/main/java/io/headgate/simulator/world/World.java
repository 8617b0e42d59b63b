package io.headgate.simulator.world;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time: a queue of events that happen one after the other, in the order of their times and,
 * at one time, of their making.
 */
public final class World {

  private final PriorityQueue<Event> events = new PriorityQueue<>(1024);

  /** Events that were made in the order of their times; they need no sorting. */
  private final ArrayDeque<Event> inOrder = new ArrayDeque<>();

  /** What is to happen in other worlds. */
  private final List<Letter> outbox = new ArrayList<>();

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

  /**
   * How much faster a node's clock goes than the true time, as a part: by its name, as its offset.
   *
   * @param most the most, either way
   */
  public double clockDrift(String node, double most) {
    RandomGenerator drifts =
        RandomGeneratorFactory.of("L64X128MixRandom").create(~seed ^ node.hashCode());
    return most == 0 ? 0 : drifts.nextDouble(-most, most);
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

  /**
   * The same as {@link #after}, and faster where this is called for one time after the other: as
   * messages are sent that all take as long.
   */
  void inTurn(long delayNanos, Runnable task) {
    Event event = new Event(nowNanos + Math.max(0, delayNanos), made++, task);
    Event last = inOrder.peekLast();
    if (last == null || last.atNanos <= event.atNanos) {
      inOrder.add(event);
    } else {
      events.add(event);
    }
  }

  /**
   * Makes {@code task} happen in a world after a delay; in another one at the end of the window of
   * time in which both run side by side, see {@link Worlds}.
   */
  void post(World to, long delayNanos, Runnable task) {
    if (to == this) {
      inTurn(delayNanos, task);
    } else {
      outbox.add(new Letter(to, nowNanos + delayNanos, task));
    }
  }

  /** Brings what is to happen in other worlds there. */
  void deliver() {
    for (Letter letter : outbox) {
      letter.to().inTurn(letter.atNanos() - letter.to().nowNanos, letter.task());
    }
    outbox.clear();
  }

  private record Letter(World to, long atNanos, Runnable task) {}

  /** Lets events happen up to and including {@code untilNanos}, and brings the time there. */
  public void runUntil(long untilNanos) {
    for (Event event = next(untilNanos); event != null; event = next(untilNanos)) {
      nowNanos = event.atNanos;
      if (!event.cancelled) {
        happened++;
        event.task.run();
      }
    }
    nowNanos = Math.max(nowNanos, untilNanos);
  }

  private @Nullable Event next(long untilNanos) {
    Event sorted = events.peek();
    Event turn = inOrder.peek();
    boolean isTurn = turn != null && (sorted == null || turn.compareTo(sorted) < 0);
    Event first = isTurn ? turn : sorted;
    if (first == null || first.atNanos > untilNanos) {
      return null;
    }
    return isTurn ? inOrder.remove() : events.remove();
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
