package io.headgate.simulator.run;

import io.headgate.agent.Gate;
import io.headgate.agent.HeadgateAgent;
import io.headgate.protocol.v1.AgentMessage;
import io.headgate.simulator.scenario.Loop;
import io.headgate.simulator.scenario.Traffic;
import io.headgate.simulator.world.Network;
import io.headgate.simulator.world.Node;
import io.headgate.simulator.world.World;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** Headgate itself: each host has an agent, which is told by the tiers above it what to drop. */
final class ControlLoop implements Limiter {

  private final Loop loop;
  private final World world;
  private final Network network;
  private final Tiers tiers;
  private long epoch;
  private long reports;
  private long reportBytes;

  ControlLoop(Loop loop, World world, Network network, Tiers tiers) {
    this.loop = loop;
    this.world = world;
    this.network = network;
    this.tiers = tiers;
    tiers.start();
  }

  @Override
  public Judge judge(Node host, Traffic traffic) {
    Gate gate =
        agent(host, traffic.caller())
            .gate(traffic.service(), traffic.caller(), traffic.procedure());
    return (criticality, retry) -> gate.judge(criticality, retry).admitted();
  }

  private HeadgateAgent agent(Node host, String caller) {
    RandomGenerator draws = world.random();
    return HeadgateAgent.builder()
        .service(caller)
        .clientId(host.name())
        .epoch(++epoch)
        .region(tiers.regionOf(host.place()))
        .zone(host.place())
        .aggregators(tiers.aggregators(host.place()))
        .reportInterval(seconds(loop.reportSeconds()))
        .releaseRamp(seconds(loop.rampSeconds()))
        .urgentReports(loop.significance())
        .eventLoop(host)
        .connector(network.connector(host, this::measure))
        .random(world.random())
        .draws(draws::nextLong)
        .build();
  }

  private static Duration seconds(double seconds) {
    return Duration.ofNanos(Math.round(seconds * 1e9));
  }

  private long measure(AgentMessage message) {
    if (message.hasReport()) {
      reports++;
      reportBytes += message.getSerializedSize();
    }
    return message.getSerializedSize();
  }

  long reports() {
    return reports;
  }

  long reportBytes() {
    return reportBytes;
  }
}
