package io.headgate.control.controller;

import io.headgate.core.rule.Identifier;
import io.headgate.core.shed.LawSettings;
import java.time.Duration;
import java.util.List;

/**
 * What a controller is told at its start.
 *
 * @param controllerId unique over all regions, the same after a restart; an {@link Identifier}
 * @param epoch greater for each start of the same id
 * @param region the region that it is responsible for; an {@link Identifier}
 * @param peers where controllers of <i>other</i> regions listen, all their replicas, as host and
 *     port
 * @param tick how often it applies the drop law and renews directives; above 0
 * @param reportInterval how often aggregators and peers report; above 0
 * @param directiveTtl how long its directives hold unless renewed; longer than a tick
 * @param releaseRamp over how long agents let go once their directives have run out; 0 or more
 * @param learningMax how long after the first aggregator's connection it waits for the others
 *     before it judges; 0 or more
 * @param expectedAggregators how many aggregators the region has; 0 if not known, then those that
 *     have connected count
 * @param maxAggregators how many streams of aggregators, and of peers, it takes; above 0
 * @param maxBuckets how many buckets it keeps, and how many one stream may name; above 0
 * @param law how the drop law weighs evidence
 */
public record ControllerSettings(
    String controllerId,
    long epoch,
    String region,
    List<String> peers,
    Duration tick,
    Duration reportInterval,
    Duration directiveTtl,
    Duration releaseRamp,
    Duration learningMax,
    int expectedAggregators,
    int maxAggregators,
    int maxBuckets,
    LawSettings law) {

  /** A source whose latest report is older than so many intervals is not fresh. */
  private static final double FRESH_INTERVALS = 2.5;

  /**
   * How long the demand of a zone that is lost takes its part of the limit. Long enough for
   * somebody to be called and to mend it; not for ever, since a zone whose hosts died with it
   * offers nothing, and its part of the limit would be lost to the others.
   */
  static final Duration FORGET_ZONE = Duration.ofMinutes(10);

  private static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(1);
  private static final Duration DEFAULT_TTL = Duration.ofSeconds(5);
  private static final Duration DEFAULT_RAMP = Duration.ofSeconds(10);
  private static final Duration DEFAULT_LEARNING_MAX = Duration.ofSeconds(5);
  private static final int DEFAULT_MAX_AGGREGATORS = 1_000;
  private static final int DEFAULT_MAX_BUCKETS = 1_000_000;

  public ControllerSettings {
    peers = List.copyOf(peers);
    requireName("controllerId", controllerId);
    requireName("region", region);
    requirePositive("tick", tick);
    requirePositive("reportInterval", reportInterval);
    if (directiveTtl.compareTo(tick) <= 0 || directiveTtl.toMillis() > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "directiveTtl: " + directiveTtl + " (expected: longer than the tick, " + tick + ")");
    }
    requireNotNegative("releaseRamp", releaseRamp);
    requireNotNegative("learningMax", learningMax);
    requireAtLeast("expectedAggregators", expectedAggregators, 0);
    requireAtLeast("maxAggregators", maxAggregators, 1);
    requireAtLeast("maxBuckets", maxBuckets, 1);
  }

  /** Settings with the defaults: a tick and reports each second, a TTL and learning of 5 s. */
  public static ControllerSettings of(
      String controllerId, long epoch, String region, List<String> peers) {
    return new ControllerSettings(
        controllerId,
        epoch,
        region,
        peers,
        DEFAULT_INTERVAL,
        DEFAULT_INTERVAL,
        DEFAULT_TTL,
        DEFAULT_RAMP,
        DEFAULT_LEARNING_MAX,
        0,
        DEFAULT_MAX_AGGREGATORS,
        DEFAULT_MAX_BUCKETS,
        LawSettings.DEFAULT);
  }

  /** The same with another tick, report interval and time to live. */
  public ControllerSettings withTiming(
      Duration tick, Duration reportInterval, Duration directiveTtl) {
    return new ControllerSettings(
        controllerId,
        epoch,
        region,
        peers,
        tick,
        reportInterval,
        directiveTtl,
        releaseRamp,
        learningMax,
        expectedAggregators,
        maxAggregators,
        maxBuckets,
        law);
  }

  /** The same for agents with another release ramp. */
  public ControllerSettings withReleaseRamp(Duration releaseRamp) {
    return new ControllerSettings(
        controllerId,
        epoch,
        region,
        peers,
        tick,
        reportInterval,
        directiveTtl,
        releaseRamp,
        learningMax,
        expectedAggregators,
        maxAggregators,
        maxBuckets,
        law);
  }

  /** The same with another way to learn. */
  public ControllerSettings withLearning(Duration learningMax, int expectedAggregators) {
    return new ControllerSettings(
        controllerId,
        epoch,
        region,
        peers,
        tick,
        reportInterval,
        directiveTtl,
        releaseRamp,
        learningMax,
        expectedAggregators,
        maxAggregators,
        maxBuckets,
        law);
  }

  /** The same with other bounds on what it takes in. */
  public ControllerSettings withBounds(int maxAggregators, int maxBuckets) {
    return new ControllerSettings(
        controllerId,
        epoch,
        region,
        peers,
        tick,
        reportInterval,
        directiveTtl,
        releaseRamp,
        learningMax,
        expectedAggregators,
        maxAggregators,
        maxBuckets,
        law);
  }

  /** The same with another drop law. */
  public ControllerSettings withLaw(LawSettings law) {
    return new ControllerSettings(
        controllerId,
        epoch,
        region,
        peers,
        tick,
        reportInterval,
        directiveTtl,
        releaseRamp,
        learningMax,
        expectedAggregators,
        maxAggregators,
        maxBuckets,
        law);
  }

  /** How long after its latest report a source is fresh; one or two reports may be lost. */
  long freshNanos() {
    return (long) (FRESH_INTERVALS * reportInterval.toNanos());
  }

  /**
   * How long the last rates of an aggregator that is gone stay in force: as long as its clients
   * obey the directives that they had, unless they turn up elsewhere before.
   */
  long holdNanos() {
    return Math.max(freshNanos(), directiveTtl.toNanos());
  }

  private static void requireName(String what, String name) {
    if (!Identifier.isValid(name)) {
      throw new IllegalArgumentException(
          what + ": '" + name + "' (expected: " + Identifier.EXPECTED + ")");
    }
  }

  private static void requirePositive(String what, Duration duration) {
    if (duration.isNegative() || duration.isZero()) {
      throw new IllegalArgumentException(what + ": " + duration + " (expected: > 0)");
    }
  }

  private static void requireNotNegative(String what, Duration duration) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException(what + ": " + duration + " (expected: >= 0)");
    }
  }

  private static void requireAtLeast(String what, int number, int least) {
    if (number < least) {
      throw new IllegalArgumentException(what + ": " + number + " (expected: >= " + least + ")");
    }
  }
}
