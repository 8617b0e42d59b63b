package io.headgate.keyed.ring;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What a node has done since it started. */
public final class RingStats {

  /** What is counted. */
  public enum Event {
    /** A request counted by this node as the owner of its key. */
    LOCAL,
    /** A request passed on to the owner of its key. */
    FORWARDED,
    /** A request answered for an owner. */
    GLOBAL,
    /** A request that its owner refused. */
    OVER_LIMIT,
    /** A request counted here although its owner was another, which could not be reached. */
    DEGRADED,
    /** A call with too many requests. */
    TOO_LARGE,
    /** A request without a name or key. */
    INVALID,
    /** A request with an algorithm or a duration that does not exist. */
    UNCOUNTABLE,
    /** A request whose owner did not answer. */
    UNREACHABLE,
    /** A batch that came again and was not counted again. */
    REPEATED,
    /** An update from the owner of keys. */
    UPDATED
  }

  private final Map<Event, LongAdder> counts = new EnumMap<>(Event.class);

  RingStats() {
    for (Event event : Event.values()) {
      counts.put(event, new LongAdder());
    }
  }

  void add(Event event) {
    adder(event).increment();
  }

  private LongAdder adder(Event event) {
    return java.util.Objects.requireNonNull(counts.get(event));
  }

  /** How often something happened. */
  public long count(Event event) {
    return adder(event).sum();
  }
}
