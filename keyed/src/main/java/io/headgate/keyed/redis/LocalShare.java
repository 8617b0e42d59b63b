package io.headgate.keyed.redis;

import io.headgate.core.limit.FixedWindow;
import io.headgate.core.limit.Gcra;
import io.headgate.core.limit.LeakyBucket;
import io.headgate.core.limit.Limit;
import io.headgate.core.limit.SegmentedWindow;
import io.headgate.core.limit.SlidingCounter;
import io.headgate.core.limit.SlidingLog;
import io.headgate.core.limit.TokenBucket;
import io.headgate.keyed.NamedLimit;
import java.time.Duration;

/** The part of a limit that one of several replicas may admit by itself. */
final class LocalShare {

  private static final Duration LONGEST = Duration.ofDays(3650);

  private LocalShare() {}

  /**
   * The limit divided by the replicas, rounded down but 1 at least: with fewer permits than
   * replicas, all of them together admit as many as they are.
   */
  static NamedLimit of(NamedLimit named, int replicas) {
    return new NamedLimit(
        named.name(), share(named.limit(), replicas), named.inheritance(), named.shadow());
  }

  private static Limit share(Limit limit, int replicas) {
    if (limit instanceof TokenBucket b) {
      long capacity = part(b.capacity(), replicas);
      return new TokenBucket(
          capacity,
          b.refillTokens(),
          slower(b.refillPeriod(), replicas),
          b.refill(),
          Math.min(capacity, b.initialTokens() / replicas));
    } else if (limit instanceof LeakyBucket b) {
      return new LeakyBucket(part(b.capacity(), replicas), b.leak(), slower(b.period(), replicas));
    } else if (limit instanceof Gcra g) {
      return new Gcra(g.permits(), slower(g.period(), replicas), part(g.limit(), replicas) - 1);
    } else if (limit instanceof FixedWindow w) {
      return new FixedWindow(part(w.limit(), replicas), w.window());
    } else if (limit instanceof SlidingLog w) {
      return new SlidingLog(part(w.limit(), replicas), w.window());
    } else if (limit instanceof SlidingCounter w) {
      return new SlidingCounter(part(w.limit(), replicas), w.window());
    } else if (limit instanceof SegmentedWindow w) {
      return new SegmentedWindow(
          part(w.limit(), replicas), w.window(), w.segmentsPerWindow(), w.strict());
    }
    throw new IllegalStateException("no share of " + limit);
  }

  private static long part(long permits, int replicas) {
    return Math.max(1, permits / replicas);
  }

  private static Duration slower(Duration period, int replicas) {
    Duration slower = period.multipliedBy(replicas);
    return slower.compareTo(LONGEST) > 0 ? LONGEST : slower;
  }
}
