package io.headgate.server.e2e;

import io.headgate.core.rule.Location;
import io.headgate.server.demo.measure.Interval;
import io.headgate.server.demo.measure.Origin;
import io.headgate.server.demo.measure.RuleName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/** What became of the calls of some {@link Traffic} over some time. */
final class Observation {

  private final double seconds;
  private final List<Origin> origins;
  private final long[] offered;
  private final long[] admitted;
  private final Interval byRule;

  private Observation(
      double seconds, List<Origin> origins, long[] offered, long[] admitted, Interval byRule) {
    this.seconds = seconds;
    this.origins = origins;
    this.offered = offered;
    this.admitted = admitted;
    this.byRule = byRule;
  }

  static Observation between(Traffic.Moment from, Traffic.Moment to) {
    return new Observation(
        (to.nanoTime() - from.nanoTime()) / 1e9,
        to.origins(),
        difference(from.offered(), to.offered()),
        difference(from.admitted(), to.admitted()),
        to.census().since(from.census()));
  }

  private static long[] difference(long[] from, long[] to) {
    long[] difference = new long[to.length];
    for (int i = 0; i < to.length; i++) {
      difference[i] = to[i] - from[i];
    }
    return difference;
  }

  double offeredPerSecond() {
    return sum(offered, location -> true) / seconds;
  }

  double admittedPerSecond() {
    return admittedPerSecond(location -> true);
  }

  double admittedPerSecond(Predicate<Location> where) {
    return sum(admitted, where) / seconds;
  }

  long dropped() {
    return dropped(location -> true);
  }

  long dropped(Predicate<Location> where) {
    return sum(offered, where) - sum(admitted, where);
  }

  double dropRatio() {
    return (double) dropped() / sum(offered, location -> true);
  }

  /** The share that each caller lost, from 0 to 1. */
  Map<String, Double> dropRatioByCaller() {
    Map<String, Double> ratios = new LinkedHashMap<>();
    for (int i = 0; i < offered.length; i++) {
      ratios.put(origins.get(i).caller(), 1 - (double) admitted[i] / offered[i]);
    }
    return ratios;
  }

  /** The share that a rule in shadow would have dropped, from 0 to 1. */
  double wouldDropRatio(String service, String rule) {
    return byRule.counts(new RuleName(service, rule), origin -> true).wouldDropRatio();
  }

  private long sum(long[] counts, Predicate<Location> where) {
    long sum = 0;
    for (int i = 0; i < counts.length; i++) {
      sum += where.test(origins.get(i).location()) ? counts[i] : 0;
    }
    return sum;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%.0f/s offered, %.0f/s admitted in %.2f s, drop ratio by caller %s",
        offeredPerSecond(),
        admittedPerSecond(),
        seconds,
        dropRatioByCaller());
  }
}
