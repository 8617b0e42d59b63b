package io.headgate.simulator.run;

import io.headgate.agent.HeadgateAgent;
import io.headgate.core.rule.Rule;
import io.headgate.protocol.v1.AgentMessage;
import io.headgate.simulator.scenario.Scenario;
import io.headgate.simulator.scenario.Traffic;
import io.headgate.simulator.world.Network;
import io.headgate.simulator.world.Node;
import io.headgate.simulator.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The hosts of a scenario: makes their agents, lets their traffic pass, and kills and restarts
 * them.
 */
final class Fleet {

  /** Traffic passes in slices of this length; finer than anything that the loop reacts to. */
  private static final long SLICE_NANOS = 5_000_000;

  private static final double NANOS_PER_SECOND = 1e9;

  private final Scenario scenario;
  private final World world;
  private final Network network;
  private final Tiers tiers;
  private final Recorder recorder;
  private final RandomGenerator random;
  private final List<Host> hosts = new ArrayList<>();
  private long epoch;
  private long reports;
  private long reportBytes;

  Fleet(Scenario scenario, World world, Network network, Tiers tiers, Recorder recorder) {
    this.scenario = scenario;
    this.world = world;
    this.network = network;
    this.tiers = tiers;
    this.recorder = recorder;
    this.random = world.random();
  }

  void start() {
    for (Traffic traffic : scenario.traffic()) {
      double[] shares = traffic.spread().shares(traffic.hosts(), random);
      for (int i = 0; i < traffic.hosts(); i++) {
        String zone = traffic.zones().get(i % traffic.zones().size());
        add(traffic, traffic.name() + "/" + i, zone, shares[i]);
      }
    }
    world.after(SLICE_NANOS, this::slice);
  }

  private void add(Traffic traffic, String name, String zone, double share) {
    String region = tiers.regionOf(zone);
    Node node = new Node(world, name, zone, 0);
    Host.Reported reported = new Host.Reported();
    HeadgateAgent agent = agent(name, traffic.caller(), region, zone, node, reported);
    Host host = new Host(name, region, zone, node, agent, reported);
    host.flows()
        .add(
            new Flow(
                traffic,
                share,
                isWatched(traffic),
                world.random(),
                agent.gate(traffic.service(), traffic.caller(), traffic.procedure())));
    hosts.add(host);
  }

  private boolean isWatched(Traffic traffic) {
    @Nullable Rule rule = tiers.rule(scenario.watch().service(), scenario.watch().rule());
    return rule != null
        && traffic.service().equals(scenario.watch().service())
        && rule.matches(traffic.caller(), traffic.procedure());
  }

  private HeadgateAgent agent(
      String name, String caller, String region, String zone, Node node, Host.Reported reported) {
    RandomGenerator draws = world.random();
    return HeadgateAgent.builder()
        .service(caller)
        .clientId(name)
        .epoch(++epoch)
        .region(region)
        .zone(zone)
        .aggregators(tiers.aggregators(zone))
        .reportInterval(
            Duration.ofNanos(Math.round(scenario.loop().reportSeconds() * NANOS_PER_SECOND)))
        .releaseRamp(Duration.ofNanos(Math.round(scenario.loop().rampSeconds() * NANOS_PER_SECOND)))
        .urgentReports(scenario.loop().significance())
        .eventLoop(node)
        .connector(network.connector(node, message -> measure(message, reported)))
        .random(world.random())
        .draws(draws::nextLong)
        .build();
  }

  private long measure(AgentMessage message, Host.Reported reported) {
    if (message.hasReport()) {
      reported.add(message.getReport());
      reports++;
      reportBytes += message.getSerializedSize();
    }
    return message.getSerializedSize();
  }

  private void slice() {
    double seconds = world.nowNanos() / NANOS_PER_SECOND;
    double middle = seconds - SLICE_NANOS / 2 / NANOS_PER_SECOND;
    int bin = Recorder.bin(middle);
    boolean steady =
        middle >= scenario.watch().fromSeconds() && middle < scenario.watch().untilSeconds();
    double watchedDemand = 0;
    for (Host host : hosts) {
      if (host.node().isRunning()) {
        for (Flow flow : host.flows()) {
          double perSecond = flow.perSecond(middle);
          flow.pass(perSecond, SLICE_NANOS / NANOS_PER_SECOND, bin, steady, recorder);
          watchedDemand += flow.isWatched() ? perSecond : 0;
        }
      }
    }
    recorder.truth(bin, tiers.watchedLimit(), watchedDemand);
    world.after(SLICE_NANOS, this::slice);
  }

  List<Host> hosts() {
    return hosts;
  }

  /** A host's process starts again. */
  void restart(Host host) {
    Node node = new Node(world, host.name(), host.zone(), 0);
    String caller = host.flows().get(0).traffic().caller();
    Host.Reported reported = new Host.Reported();
    host.restarted(
        node, agent(host.name(), caller, host.region(), host.zone(), node, reported), reported);
  }

  long reports() {
    return reports;
  }

  long reportBytes() {
    return reportBytes;
  }
}
