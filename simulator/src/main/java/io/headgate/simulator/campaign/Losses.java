package io.headgate.simulator.campaign;

import io.headgate.core.rule.Scope;
import io.headgate.core.shed.LawSettings;
import io.headgate.simulator.scenario.Loop;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What one bucket may let pass while a part of its domain is lost and nothing else happens. */
final class Losses {

  /** For the loss to be noticed, and what follows from it to be judged and obeyed. */
  private static final double SLACK_SECONDS = 4;

  /** What is seen to be lost within this time was lost at once. */
  private static final double TOGETHER_SECONDS = 0.25;

  private final Loop loop;
  private final Quiet quiet;
  private final Map<String, Double> offeredBefore = new HashMap<>();

  Losses(Loop loop, Quiet quiet) {
    this.loop = loop;
    this.quiet = quiet;
  }

  /**
   * What happened in one zone in a second.
   *
   * @param offered what the bucket judged
   * @param passed what passed all rules
   */
  record ZoneSecond(long offered, long passed) {}

  /**
   * Since when what has been lost.
   *
   * @param zones the zones to which no way leads from a controller
   * @param regions since when not all regions have been connected; null if they are
   */
  record Since(Map<String, Double> zones, @Nullable Double regions) {}

  /**
   * Looks at a second.
   *
   * @param byZone what happened in each zone of the bucket's domain
   */
  Moment.@Nullable LossSecond second(
      Watched watched, Map<String, ZoneSecond> byZone, Since since, double from, double until) {
    double first = Double.POSITIVE_INFINITY;
    double last = Double.NEGATIVE_INFINITY;
    double held = 0;
    long passed = 0;
    boolean anyHeard = false;
    for (Map.Entry<String, ZoneSecond> zone : byZone.entrySet()) {
      @Nullable Double lostAt = since.zones().get(zone.getKey());
      if (lostAt == null) {
        offeredBefore.put(zone.getKey(), (double) zone.getValue().offered());
        passed += zone.getValue().passed();
        anyHeard = true;
      } else {
        first = Math.min(first, lostAt);
        last = Math.max(last, lostAt);
        held += offeredBefore.getOrDefault(zone.getKey(), 0.0);
      }
    }
    if (!anyHeard) {
      return null;
    }
    double limit = watched.limitPerSecond();
    double allowance = NotAboveLimit.most(limit, 1) - limit;
    @Nullable Double apart = watched.scope() == Scope.GLOBAL ? since.regions() : null;
    if (last >= first) {
      double open = last + loop.ttlSeconds() + loop.rampSeconds() + SLACK_SECONDS;
      double room = Math.max(LawSettings.DEFAULT.floorShare() * limit, limit - held);
      return apart == null
              && last - first < TOGETHER_SECONDS
              && from >= open
              && quiet.isSettledBut(first, until)
          ? new Moment.LossSecond(watched.name(), "where a zone is lost", passed, room + allowance)
          : null;
    }
    return apart != null && from >= apart && quiet.isSettledBut(apart, until)
        ? new Moment.LossSecond(
            watched.name(), "while regions are cut off", passed, limit + allowance)
        : null;
  }
}
