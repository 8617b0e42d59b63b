package io.headgate.simulator.run;

import io.headgate.agent.BucketCounts;
import io.headgate.agent.Gate;
import io.headgate.agent.HeadgateAgent;
import io.headgate.protocol.v1.AgentMessage;
import io.headgate.simulator.scenario.Loop;
import io.headgate.simulator.scenario.Traffic;
import io.headgate.simulator.world.Network;
import io.headgate.simulator.world.Node;
import io.headgate.simulator.world.World;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Headgate itself: each host has an agent, which is told by the tiers above it what to drop. */
final class ControlLoop implements Limiter {

  private final Loop loop;
  private final World world;
  private final Network network;
  private final Tiers tiers;
  private final Map<String, Member> members = new HashMap<>();
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
    Member member = new Member();
    HeadgateAgent agent = agent(host, traffic.caller(), member);
    member.agent = agent;
    members.put(host.name(), member);
    Gate gate = agent.gate(traffic.service(), traffic.caller(), traffic.procedure());
    return (criticality, retry) -> gate.judge(criticality, retry).admitted();
  }

  /** What the agent of a host has counted, by bucket, since it started. */
  List<BucketCounts> buckets(String host) {
    HeadgateAgent agent = member(host).agent;
    return agent == null ? List.of() : agent.bucketCounts();
  }

  /** What the agent of a host has told of as offered, over all buckets and streams. */
  long reported(String host) {
    return member(host).reported;
  }

  private Member member(String host) {
    return Objects.requireNonNull(members.get(host), host);
  }

  private HeadgateAgent agent(Node host, String caller, Member member) {
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
        .connector(network.connector(host, message -> measure(message, member)))
        .random(world.random())
        .draws(draws::nextLong)
        .build();
  }

  private static Duration seconds(double seconds) {
    return Duration.ofNanos(Math.round(seconds * 1e9));
  }

  private long measure(AgentMessage message, Member member) {
    if (message.hasReport()) {
      for (long offered : message.getReport().getOfferedList()) {
        member.reported += offered;
      }
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

  /** The latest process on a host. */
  private static final class Member {

    private @Nullable HeadgateAgent agent;
    private long reported;
  }
}
