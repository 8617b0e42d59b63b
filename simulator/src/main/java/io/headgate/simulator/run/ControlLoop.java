package io.headgate.simulator.run;

import io.headgate.agent.BucketCounts;
import io.headgate.agent.Gate;
import io.headgate.agent.HeadgateAgent;
import io.headgate.core.rule.BucketKey;
import io.headgate.protocol.link.Connector;
import io.headgate.protocol.link.LinkListener;
import io.headgate.protocol.v1.AgentDirection;
import io.headgate.protocol.v1.AgentMessage;
import io.headgate.protocol.v1.BucketDefinition;
import io.headgate.protocol.v1.Report;
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
  private int slowDownMillis;
  private int mostSlowDownMillis;
  private ShadowCount shadow = ShadowCount.NONE;
  private ShadowCount shadowBefore = ShadowCount.NONE;
  private String shadowService = "";
  private String shadowRule = "";

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
    return member(host).counts();
  }

  /** What the agent of a host has told of as offered to the buckets it has, over all streams. */
  long reported(String host) {
    return member(host).reported();
  }

  /** From now on, counts what a rule would drop were it not in shadow. */
  void watchShadow(String service, String rule) {
    shadowService = service;
    shadowRule = rule;
    shadowBefore = shadowCount();
  }

  /** Stops to count that. */
  void endShadow() {
    shadow = shadowCount();
  }

  /** The share of the watched rule's requests that it would have dropped, by its agents' counts. */
  double wouldDropRatio() {
    long offered = shadow.offered - shadowBefore.offered;
    return offered == 0 ? 0 : (double) (shadow.wouldDrop - shadowBefore.wouldDrop) / offered;
  }

  private ShadowCount shadowCount() {
    long offered = 0;
    long wouldDrop = 0;
    for (Member member : members.values()) {
      for (BucketCounts bucket : member.counts()) {
        if (bucket.service().equals(shadowService) && bucket.rule().equals(shadowRule)) {
          offered += bucket.offered();
          wouldDrop += bucket.wouldDrop();
        }
      }
    }
    return new ShadowCount(offered, wouldDrop);
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
        .connector(heard(network.connector(host, message -> measure(message, member))))
        .random(world.random())
        .draws(draws::nextLong)
        .build();
  }

  private Connector<AgentMessage, AgentDirection> heard(
      Connector<AgentMessage, AgentDirection> connector) {
    return (address, listener) ->
        connector.connect(
            address,
            new LinkListener<>() {
              @Override
              public void onMessage(AgentDirection message) {
                if (message.hasSlowDown()) {
                  slowDownMillis = message.getSlowDown().getIntervalMillis();
                  mostSlowDownMillis = Math.max(mostSlowDownMillis, slowDownMillis);
                }
                listener.onMessage(message);
              }

              @Override
              public void onReady() {
                listener.onReady();
              }

              @Override
              public void onClosed(String reason) {
                listener.onClosed(reason);
              }
            });
  }

  /** The longest interval that any agent was asked to keep between reports; 0 for the usual. */
  double mostSlowDownSeconds() {
    return mostSlowDownMillis / 1e3;
  }

  /** The interval that an agent was asked to keep last. */
  double lastSlowDownSeconds() {
    return slowDownMillis / 1e3;
  }

  private static Duration seconds(double seconds) {
    return Duration.ofNanos(Math.round(seconds * 1e9));
  }

  private long measure(AgentMessage message, Member member) {
    if (message.hasReport()) {
      member.reports(message.getReport());
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

  private record ShadowCount(long offered, long wouldDrop) {

    static final ShadowCount NONE = new ShadowCount(0, 0);
  }

  /** The latest process on a host. */
  private static final class Member {

    private @Nullable HeadgateAgent agent;

    /** By the numbers on the stream that reports go out on; a new one gives them out anew. */
    private final Map<Integer, BucketKey> keys = new HashMap<>();

    private final Map<BucketKey, Long> reported = new HashMap<>();

    List<BucketCounts> counts() {
      return agent == null ? List.of() : agent.bucketCounts();
    }

    void reports(Report report) {
      for (BucketDefinition bucket : report.getDefineList()) {
        keys.put(
            bucket.getId(),
            new BucketKey(
                bucket.getService(), bucket.getRule(), bucket.getCaller(), bucket.getProcedure()));
      }
      for (int row = 0; row < report.getOfferedCount(); row++) {
        BucketKey key = Objects.requireNonNull(keys.get(report.getBucket(row)));
        reported.merge(key, report.getOffered(row), Long::sum);
      }
    }

    long reported() {
      long sum = 0;
      for (BucketCounts bucket : counts()) {
        sum +=
            reported.getOrDefault(
                new BucketKey(bucket.service(), bucket.rule(), bucket.caller(), bucket.procedure()),
                0L);
      }
      return sum;
    }
  }
}
