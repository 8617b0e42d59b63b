package io.headgate.envoy.ratelimit.stats;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What the service has done. Safe for use by many threads; counting holds no lock. */
public final class RateLimitStats {

  /** The limits whose hits are told apart; those of all others are counted together. */
  public static final int MAX_DESCRIPTORS = 10_000;

  /** The path of those others. */
  public static final String OVERFLOW = "overflow";

  /** What can happen to a call or to one of its descriptors. */
  public enum Event {
    /** A call that was answered with OK. */
    OK,
    /** A call that was answered with OVER_LIMIT. */
    OVER_LIMIT,
    /** A call that would have been, without the global shadow mode. */
    GLOBAL_SHADOW,
    /** A call without a domain or without descriptors. */
    INVALID,
    /** A call that failed by a defect of the service. */
    FAILED,
    /** A call that nobody waited for any more when it came. */
    EXPIRED,
    /** A call that was answered by the outage policy. */
    DEGRADED,
    /** A call whose own deadline was so near that nothing was asked. */
    HURRIED,
    /** A call for a domain without rules. */
    UNKNOWN_DOMAIN,
    /** A descriptor that met no limit. */
    UNMATCHED
  }

  private final Map<Event, LongAdder> events = new EnumMap<>(Event.class);
  private final ConcurrentHashMap<String, DescriptorStats> descriptors = new ConcurrentHashMap<>();
  private final DescriptorStats overflow = new DescriptorStats(OVERFLOW);
  private final int maxDescriptors;

  public RateLimitStats() {
    this(MAX_DESCRIPTORS);
  }

  RateLimitStats(int maxDescriptors) {
    this.maxDescriptors = maxDescriptors;
    for (Event event : Event.values()) {
      events.put(event, new LongAdder());
    }
  }

  /** Counts an event. */
  public void count(Event event) {
    adder(event).increment();
  }

  /** How often it has happened. */
  public long total(Event event) {
    return adder(event).sum();
  }

  private LongAdder adder(Event event) {
    LongAdder adder = events.get(event);
    if (adder == null) {
      throw new IllegalStateException("no counter of " + event);
    }
    return adder;
  }

  /** The counts of the limit at a path, or of all others if there are too many. */
  public DescriptorStats of(String path) {
    DescriptorStats found = descriptors.get(path);
    if (found != null) {
      return found;
    }
    return descriptors.mappingCount() >= maxDescriptors
        ? overflow
        : descriptors.computeIfAbsent(path, DescriptorStats::new);
  }

  /** The counts of all limits that were met, and of those that are too many once there are any. */
  public Collection<DescriptorStats> descriptors() {
    List<DescriptorStats> all = new ArrayList<>(descriptors.values());
    if (overflow.total() > 0) {
      all.add(overflow);
    }
    return all;
  }
}
