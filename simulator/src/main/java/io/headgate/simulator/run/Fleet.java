package io.headgate.simulator.run;

import io.headgate.core.rule.Rule;
import io.headgate.simulator.scenario.Scenario;
import io.headgate.simulator.scenario.Traffic;
import io.headgate.simulator.world.Node;
import io.headgate.simulator.world.World;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;

/** The hosts of a scenario: starts them, lets their traffic pass, and restarts them. */
final class Fleet {

  /** Traffic passes in slices of this length; finer than anything that the loop reacts to. */
  private static final long SLICE_NANOS = 5_000_000;

  private static final double NANOS_PER_SECOND = 1e9;

  private final Scenario scenario;
  private final World world;
  private final Limiter limiter;
  private final Tiers tiers;
  private final Recorder recorder;
  private final RandomGenerator random;
  private final List<Host> hosts = new ArrayList<>();

  /**
   * A fleet at rest.
   *
   * @param random what its traffic follows from; of its own, so that the traffic is the same
   *     whatever limits it
   */
  Fleet(
      Scenario scenario,
      World world,
      Limiter limiter,
      Tiers tiers,
      Recorder recorder,
      RandomGenerator random) {
    this.scenario = scenario;
    this.world = world;
    this.limiter = limiter;
    this.tiers = tiers;
    this.recorder = recorder;
    this.random = random;
  }

  void start() {
    for (Traffic traffic : scenario.traffic()) {
      double[] shares = traffic.spread().shares(traffic.hosts(), random);
      boolean watched = isWatched(traffic);
      for (int i = 0; i < traffic.hosts(); i++) {
        String zone = traffic.zones().get(i % traffic.zones().size());
        Node node = tiers.newNode(traffic.name() + "/" + i, zone);
        Judge judge = limiter.judge(node, traffic);
        hosts.add(new Host(node, new Flow(traffic, shares[i], watched, arrivals(), judge)));
      }
    }
    world.after(SLICE_NANOS, this::slice);
  }

  private RandomGenerator arrivals() {
    return RandomGeneratorFactory.of("L64X128MixRandom").create(random.nextLong());
  }

  private boolean isWatched(Traffic traffic) {
    @Nullable Rule rule = tiers.rule(scenario.watch().service(), scenario.watch().rule());
    return rule != null
        && traffic.service().equals(scenario.watch().service())
        && rule.matches(traffic.caller(), traffic.procedure());
  }

  private void slice() {
    double seconds = world.nowNanos() / NANOS_PER_SECOND;
    double middle = seconds - SLICE_NANOS / 2 / NANOS_PER_SECOND;
    int bin = Recorder.bin(middle);
    boolean steady =
        middle >= scenario.watch().fromSeconds() && middle < scenario.watch().untilSeconds();
    double watchedDemand = 0;
    // Who is first takes what is left at a central place, so let it not be the same one each time.
    int first = random.nextInt(hosts.size());
    for (int i = 0; i < hosts.size(); i++) {
      Host host = hosts.get((first + i) % hosts.size());
      if (host.node().isAlive()) {
        Flow flow = host.flow();
        double perSecond = flow.perSecond(middle);
        flow.arrive(perSecond, SLICE_NANOS / NANOS_PER_SECOND);
        if (host.makesCalls()) {
          flow.pass(bin, steady, recorder);
        }
        watchedDemand += flow.isWatched() ? perSecond : 0;
      }
    }
    recorder.truth(bin, tiers.watchedLimit(), watchedDemand);
    world.after(SLICE_NANOS, this::slice);
  }

  List<Host> hosts() {
    return hosts;
  }

  /** What became of each host's watched requests. */
  List<HostTally> tallies() {
    return hosts.stream().map(Host::flow).filter(Flow::isWatched).map(Flow::tally).toList();
  }

  /** What became of the requests of each kind of traffic, watched or not, by its name. */
  Map<String, HostTally> talliesByTraffic() {
    Map<String, HostTally> tallies = new LinkedHashMap<>();
    for (Host host : hosts) {
      HostTally tally = host.flow().tally();
      tallies
          .computeIfAbsent(host.flow().traffic().name(), name -> new HostTally())
          .count(tally.offered(), tally.admitted());
    }
    return tallies;
  }

  /** A host's process starts again. */
  void restart(Host host) {
    Node node = tiers.newNode(host.name(), host.node().place());
    host.restarted(node, limiter.judge(node, host.flow().traffic()), world.nowNanos());
  }
}
