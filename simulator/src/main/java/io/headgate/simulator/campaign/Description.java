package io.headgate.simulator.campaign;

import io.headgate.core.rule.Rule;
import io.headgate.core.rule.ServiceRules;
import io.headgate.simulator.scenario.Event;
import io.headgate.simulator.scenario.Scenario;
import io.headgate.simulator.scenario.Scenario.Region;
import io.headgate.simulator.scenario.Traffic;
import io.headgate.simulator.traffic.RateCurve;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes down a world for people. */
final class Description {

  private Description() {}

  static List<String> of(Scenario world) {
    List<String> lines = new ArrayList<>();
    line(
        lines,
        "%.0f s, directives live %.0f s and are released over %.0f s",
        world.seconds(),
        world.loop().ttlSeconds(),
        world.loop().rampSeconds());
    line(
        lines,
        "network: latency %.1f ms, jitter %.1f ms, duplication %.3f, reordering %.3f",
        world.weather().latencyNanos() / 1e6,
        world.weather().jitterNanos() / 1e6,
        world.weather().duplication(),
        world.weather().reordering());
    if (world.clockSkewSeconds() > 0) {
      line(
          lines,
          "clocks up to %.0f s apart from the true time and up to %.4f too fast or slow",
          world.clockSkewSeconds(),
          world.clockDrift());
    }
    for (Region region : world.regions()) {
      line(
          lines,
          "region %s: zones %s, %d controllers, %d aggregators a zone",
          region.name(),
          region.zones(),
          region.controllers(),
          region.aggregators());
    }
    for (ServiceRules service : world.rules()) {
      for (Rule rule : service.rules()) {
        lines.add("rule " + rule);
      }
    }
    for (Traffic traffic : world.traffic()) {
      line(
          lines,
          "%s: %d hosts (%s), %s, %d attempts, %s",
          traffic.name(),
          traffic.hosts(),
          traffic.spread(),
          traffic.procedure(),
          traffic.attempts(),
          rate(traffic.rate()));
    }
    for (Event event : world.events()) {
      lines.add(event.toString());
    }
    return lines;
  }

  /** Adds what failed in a second, and what all buckets did then. */
  static void addFailures(Moment moment, List<String> lines) {
    List<String> violations = new ArrayList<>();
    for (Invariant invariant : Invariant.ALL) {
      invariant.violations(moment).forEach(what -> violations.add(invariant.name() + ": " + what));
    }
    if (violations.isEmpty()) {
      return;
    }
    line(lines, "at %.0f s:", moment.seconds());
    violations.forEach(what -> lines.add("  " + what));
    for (Moment.BucketSecond bucket : moment.buckets()) {
      line(
          lines,
          "    %s: limit %.0f/s, demand %.0f/s, %d offered, %d dropped; %d passed all rules%s",
          bucket.name(),
          bucket.limitPerSecond(),
          bucket.demandPerSecond(),
          bucket.offered(),
          bucket.dropped(),
          bucket.passed(),
          bucket.settled() ? "" : " (not settled)");
    }
  }

  private static String rate(RateCurve rate) {
    StringBuilder text = new StringBuilder(String.format(Locale.ROOT, "%.0f/s", rate.at(0)));
    for (RateCurve.Change change : rate.changes()) {
      text.append(
          String.format(
              Locale.ROOT,
              ", %.0f/s at %.1f s over %.0f s",
              change.perSecond(),
              change.atSeconds(),
              change.overSeconds()));
    }
    return text.toString();
  }

  private static void line(List<String> lines, String format, Object... values) {
    lines.add(String.format(Locale.ROOT, format, values));
  }
}
