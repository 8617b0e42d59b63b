package io.headgate.simulator.run;

import io.headgate.simulator.result.Result;
import io.headgate.simulator.scenario.Crowd;
import io.headgate.simulator.scenario.Scenario;
import io.headgate.simulator.world.Network;
import io.headgate.simulator.world.Weather;
import io.headgate.simulator.world.World;
import io.headgate.simulator.world.Worlds;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleConsumer;

/** Runs a scenario with a crowd, and measures what it costs. */
final class CrowdRun {

  /** How often progress is told, in virtual time. */
  private static final double PROGRESS_SECONDS = 0.1;

  /** By then all nodes are connected that are in different worlds; hosts start later. */
  private static final double CONNECTED_SECONDS = LeanCrowd.FIRST_START_NANOS / 1e9;

  /** Ticks are set one tick ahead; urgent work follows within a fraction of that. */
  private static final double TICK_PART = 0.5;

  /** What a host takes in this process on both sides of its stream, and a bucket of it. */
  private static final long BYTES_PER_HOST = 4_000;

  private static final long BYTES_PER_BUCKET = 70;

  /** The heap also holds what waits to be collected. */
  private static final double HEADROOM = 1.75;

  private static final long BYTES_AT_LEAST = 100_000_000;

  private final Scenario scenario;
  private final Crowd crowd;
  private final Worlds worlds;
  private final DirectiveCount directives = new DirectiveCount();
  private final WorkTimes controllers;
  private final Map<String, WorkTimes> aggregators = new LinkedHashMap<>();
  private final List<LeanCrowd> zones = new ArrayList<>();

  CrowdRun(Scenario scenario, Crowd crowd, long seed) {
    requireHeap(crowd, Runtime.getRuntime().maxMemory());
    requireCalm(scenario.weather());
    this.scenario = scenario;
    this.crowd = crowd;
    List<String> names =
        scenario.regions().stream().flatMap(region -> region.zones().stream()).toList();
    worlds =
        new Worlds(
            seed,
            groups(scenario),
            scenario.weather().latencyNanos(),
            Math.min(names.size(), Runtime.getRuntime().availableProcessors()));
    World first = worlds.all().get(0);
    Network network = new Network(first, scenario.weather());
    Tiers tiers = new Tiers(scenario, worlds::of, network, directives);
    tiers.start();
    long tickAhead = Math.round(TICK_PART * scenario.loop().tickSeconds() * 1e9);
    controllers = new WorkTimes(tickAhead);
    tiers
        .places()
        .forEach(
            (name, place) ->
                place
                    .node()
                    .measure(
                        name.startsWith("controller/")
                            ? controllers
                            : aggregators.computeIfAbsent(
                                place.node().place(), zone -> new WorkTimes(tickAhead))));
    double[] weights = crowd.spread().shares(LeanCrowd.KINDS, first.random());
    for (int kind = 0; kind < weights.length; kind++) {
      weights[kind] *= weights.length;
    }
    for (int i = 0; i < names.size(); i++) {
      String zone = names.get(i);
      LeanCrowd hosts = new LeanCrowd(scenario, crowd, zone, weights, worlds.of(zone), tiers);
      hosts.start(network, share(i, names.size()), share(i + 1, names.size()));
      zones.add(hosts);
    }
  }

  private int share(int zone, int of) {
    return (int) ((long) crowd.hosts() * zone / of);
  }

  /** All controllers are in one world; each zone, with all that it holds, is in one of its own. */
  private static List<List<String>> groups(Scenario scenario) {
    List<List<String>> groups = new ArrayList<>();
    groups.add(scenario.regions().stream().map(Scenario.Region::name).toList());
    for (Scenario.Region region : scenario.regions()) {
      region.zones().forEach(zone -> groups.add(List.of(zone)));
    }
    return groups;
  }

  private static void requireCalm(Weather weather) {
    if (!weather.equals(new Weather(weather.latencyNanos(), 0, 0, 0, 0))
        || weather.latencyNanos() == 0) {
      throw new IllegalArgumentException(
          "network of a crowd: found " + weather + " (expected: a latency and nothing else)");
    }
  }

  /**
   * Whether a crowd has room.
   *
   * @throws IllegalArgumentException if it has not; the message says how to make some
   */
  static void requireHeap(Crowd crowd, long maxBytes) {
    long needed =
        BYTES_AT_LEAST
            + Math.round(
                HEADROOM
                    * crowd.hosts()
                    * (BYTES_PER_HOST + crowd.bucketsPerHost() * BYTES_PER_BUCKET));
    if (maxBytes < needed) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%,d hosts with %d buckets each need a heap of about %.1f GiB, found %.1f"
                  + " (expected: more heap, as by HEADGATE_JAVA_OPTS=-Xmx%dm, or fewer hosts, as by"
                  + " --scale %.2f)",
              crowd.hosts(),
              crowd.bucketsPerHost(),
              needed / gibi(),
              maxBytes / gibi(),
              needed / 1_000_000,
              Math.max(0.01, Math.floor(90.0 * maxBytes / needed) / 100)));
    }
  }

  private static double gibi() {
    return 1L << 30;
  }

  /** Runs it to its end. */
  Result run(long seed, DoubleConsumer progress) {
    long begin = System.nanoTime();
    double from = scenario.watch().fromSeconds();
    double until = Math.min(scenario.seconds(), scenario.watch().untilSeconds());
    try (worlds) {
      runUntil(0, from, progress);
      CrowdFigures.Sent before = CrowdFigures.Sent.by(zones);
      controllers.reset();
      aggregators.values().forEach(WorkTimes::reset);
      long steady = System.nanoTime();
      long steadyCpu = processorNanos();
      runUntil(from, until, progress);
      CrowdFigures.Sent after = CrowdFigures.Sent.by(zones);
      double steadySeconds = (System.nanoTime() - steady) / 1e9;
      double steadyCpuSeconds = (processorNanos() - steadyCpu) / 1e9;
      runUntil(until, scenario.seconds(), progress);
      zones.forEach(LeanCrowd::finish);
      progress.accept(1);
      WorkTimes ofAggregators = new WorkTimes(0);
      aggregators.values().forEach(ofAggregators::add);
      CrowdFigures.Work work =
          new CrowdFigures.Work(
              controllers,
              ofAggregators,
              (System.nanoTime() - begin) / 1e9,
              steadySeconds,
              steadyCpuSeconds,
              directives.rows());
      CrowdFigures figures = new CrowdFigures(scenario, crowd, zones);
      return Simulation.result(
          scenario, seed, figures.compute(before, after, work), zones.get(0).recorder());
    }
  }

  private void runUntil(double from, double until, DoubleConsumer progress) {
    for (double seconds = from; seconds < until; seconds += PROGRESS_SECONDS) {
      progress.accept(seconds / scenario.seconds());
      worlds.runUntil(
          Math.round(Math.min(until, seconds + PROGRESS_SECONDS) * 1e9),
          seconds >= CONNECTED_SECONDS);
    }
  }

  /** What the whole program has taken of all processors. */
  private static long processorNanos() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? system.getProcessCpuTime()
        : 0;
  }
}
