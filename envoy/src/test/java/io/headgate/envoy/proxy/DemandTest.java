package io.headgate.envoy.proxy;

import static io.headgate.envoy.proxy.World.drops;
import static io.headgate.envoy.proxy.World.first;
import static io.headgate.envoy.proxy.World.message;
import static io.headgate.envoy.proxy.World.requests;
import static io.headgate.envoy.proxy.World.rule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.protobuf.ByteString;
import io.envoyproxy.envoy.service.metrics.v3.StreamMetricsMessage;
import io.headgate.core.rule.Behavior;
import io.headgate.protocol.v1.AgentHello;
import io.headgate.protocol.v1.AgentMessage;
import io.headgate.protocol.v1.Report;
import io.prometheus.client.Metrics.LabelPair;
import io.prometheus.client.Metrics.MetricFamily;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DemandTest {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final World world = new World();
  private CountsCall counts = new CountsCall(world);

  private void begin(io.headgate.core.rule.Rule... rules) {
    counts.send(first("proxy-1"));
    world.rules(rules);
    world.run(0.02);
  }

  private void flush(MetricFamily... families) {
    counts.send(message(families));
    world.run(0.02);
  }

  private List<Report> reports() {
    return world.aggregators.last().reports();
  }

  private long reported() {
    return reports().stream()
        .flatMap(report -> report.getOfferedList().stream())
        .mapToLong(Long::longValue)
        .sum();
  }

  @Test
  void aProxyIsAnAgentOfItsService() {
    begin();

    AgentHello hello = world.aggregators.last().received().get(0).getHello();
    assertThat(hello.getClientId()).isEqualTo("envoy:proxy-1");
    assertThat(hello.getService()).isEqualTo("shop");
    assertThat(hello.getRegion()).isEqualTo("eu");
    assertThat(hello.getZone()).isEqualTo("eu-1");
    assertThat(hello.getEpoch()).isPositive();
  }

  @Test
  void theMessagesOfAFlushMakeOneReport() {
    begin(rule("all", null, null));
    int before = reports().size();
    counts.send(message(requests("a", "/Charge", 10, 5_000)));
    world.run(0.005);
    counts.send(message(requests("b", "/Charge", 20, 5_000)));
    world.run(0.005);
    counts.send(message(requests("c", "/Refund", 30, 5_000)));
    world.run(0.26);

    assertThat(reports()).hasSize(before + 1);
    assertThat(world.lastReport()).isEqualTo(Map.of("all", List.of(60L, 0L, 0L)));
  }

  @Test
  void aMessageThatOthersUsuallyFollowIsNotTakenForTheEndOfAFlush() {
    begin(rule("all", null, null));
    flush(requests("a", "/Charge", 1, 5_000), requests("b", "/Charge", 1, 5_000));
    // What comes late the first time goes with the next flush: no rate over a few milliseconds.
    flush(requests("c", "/Charge", 2, 5_000));
    world.run(0.96);
    int before = reports().size();
    counts.send(message(requests("a", "/Charge", 10, 6_000), requests("b", "/Charge", 10, 6_000)));
    world.run(0.1);
    counts.send(message(requests("c", "/Charge", 20, 6_000), requests("d", "/Charge", 20, 6_000)));
    world.run(0.1);
    counts.send(message(requests("e", "/Charge", 30, 6_000)));
    world.run(0.02);

    assertThat(reports()).hasSize(before + 1);
    assertThat(world.lastReport()).isEqualTo(Map.of("all", List.of(92L, 0L, 0L)));
    assertThat(reports().get(before).getElapsedNanos()).isEqualTo(SECOND);

    world.run(0.78);
    counts.send(message(requests("a", "/Charge", 5, 7_000), requests("b", "/Charge", 5, 7_000)));
    world.run(0.24);
    assertThat(reports()).hasSize(before + 1);
    world.run(0.02);
    assertThat(world.lastReport()).isEqualTo(Map.of("all", List.of(10L, 0L, 0L)));
  }

  @Test
  void whatIsCountedBeforeThereAreRulesWaitsForThem() {
    counts.send(first("proxy-1", requests("a", "/Charge", 10, 5_000)));
    world.run(1);
    flush(requests("a", "/Charge", 20, 6_000));
    assertThat(reports()).isEmpty();

    world.rules(rule("all", null, null));

    assertThat(reports()).hasSize(1);
    assertThat(world.lastReport()).isEqualTo(Map.of("all", List.of(30L, 0L, 0L)));
    assertThat(reports().get(0).getElapsedNanos()).isEqualTo(2 * SECOND);
  }

  @Test
  void timeIsThatBetweenTheProxysStamps() {
    begin(rule("all", null, null));
    flush(requests("a", "/Charge", 10, 5_000));
    world.run(1.3);
    flush(requests("a", "/Charge", 10, 6_000));
    world.run(0.2);
    flush(requests("a", "/Charge", 10, 6_250));

    List<Report> last = reports().subList(reports().size() - 2, reports().size());
    assertThat(last).extracting(Report::getElapsedNanos).containsExactly(SECOND, SECOND / 4);
  }

  @Test
  void aClockThatWasSetIsNotBelieved() {
    begin(rule("all", null, null));
    flush(requests("a", "/Charge", 10, 5_000));
    world.run(0.98);
    flush(requests("a", "/Charge", 10, 3_600_000));

    assertThat(reports().get(reports().size() - 1).getElapsedNanos()).isEqualTo(SECOND);
  }

  @Test
  void aFlushWithoutCountsReportsThatNothingIsOffered() {
    begin(rule("all", null, null));
    flush(requests("a", "/Charge", 10, 5_000));
    int before = reports().size();
    flush(requests("a", "/Charge", 0, 6_000));

    assertThat(reports()).hasSize(before + 1);
    assertThat(world.lastReport()).isEmpty();
  }

  @Test
  void theDropsAtEachStageAreTakenFromWhatTheNextOnesAreOffered() {
    begin(
        rule("pair", "a", "Charge"),
        rule("caller", "a", null),
        rule("procedure", null, "Charge"),
        rule("service", null, null));

    flush(
        requests("a", "/Charge", 1_000, 5_000),
        drops("a", "/Charge", "pair|shop|a|/Charge", 100, 5_000),
        drops("a", "/Charge", "caller|shop|a", 200, 5_000),
        drops("a", "/Charge", "procedure|shop|/Charge", 300, 5_000),
        drops("a", "/Charge", "service|shop", 40, 5_000),
        requests("b", "/Charge", 500, 5_000),
        drops("b", "/Charge", "procedure|shop|/Charge", 50, 5_000));

    assertThat(world.lastReport())
        .isEqualTo(
            Map.of(
                "pair", List.of(1_000L, 100L, 0L),
                "caller", List.of(900L, 200L, 0L),
                "procedure", List.of(700L + 500L, 300L + 50L, 0L),
                "service", List.of(400L + 450L, 40L, 0L)));
  }

  @Test
  void aDropThatIsFlushedBeforeItsRequestWaitsForIt() {
    begin(rule("all", null, null));
    flush(requests("a", "/Charge", 10, 5_000), drops("a", "/Charge", "service|shop", 12, 5_000));
    assertThat(world.lastReport()).isEqualTo(Map.of("all", List.of(10L, 10L, 0L)));

    flush(requests("a", "/Charge", 10, 6_000), drops("a", "/Charge", "service|shop", 1, 6_000));
    assertThat(world.lastReport()).isEqualTo(Map.of("all", List.of(10L, 3L, 0L)));
  }

  @Test
  void aDropOfACallerThatCallsOnceIsNotLostBetweenTwoFlushes() {
    begin(rule("charge", null, "Charge"), rule("all", null, null));
    flush(requests("once", "/Charge", 1, 5_000), requests("a", "/Charge", 9, 5_000));
    flush(
        drops("once", "/Charge", "procedure|shop|/Charge", 1, 6_000),
        requests("b", "/Charge", 10, 6_000));

    assertThat(world.lastReport())
        .isEqualTo(Map.of("charge", List.of(10L, 1L, 0L), "all", List.of(9L, 0L, 0L)));
  }

  @Test
  void rulesThatShareAStageShareItsDropsAsIfOneJudgedAfterTheOther() {
    begin(rule("prefix", "a", "Cha*"), rule("exact", "a", "Charge"));
    flush(requests("a", "/Charge", 1, 5_000));
    world.drop("exact", 0.5);
    world.drop("prefix", 0.2);
    DeltaCall layer = new DeltaCall(world).begin("proxy-1");
    assertThat(layer.ratios()).isEqualTo(Map.of("pair|shop|a|/Charge", 600_000L));

    flush(
        requests("a", "/Charge", 10_000, 6_000),
        drops("a", "/Charge", "pair|shop|a|/Charge", 6_000, 6_000));

    Map<String, List<Long>> report = world.lastReport();
    // The closer match judges first: 5,000 of 10,000, then 1,000 of the 5,000 that are left.
    assertThat(report.get("exact").get(0)).isEqualTo(10_000);
    assertThat(report.get("exact").get(1)).isCloseTo(5_000, within(1L));
    assertThat(report.get("prefix").get(0)).isEqualTo(10_000 - report.get("exact").get(1));
    assertThat(report.get("exact").get(1) + report.get("prefix").get(1)).isEqualTo(6_000);
  }

  @Test
  void aRuleInShadowIsNeverPushedAndItsWouldDropIsReported() {
    begin(rule("shadow", "a", "Charge", false, Behavior.ALLOW), rule("wide", null, "Charge"));
    flush(requests("a", "/Charge", 1, 5_000));
    world.drop("shadow", 0.25);
    assertThat(new DeltaCall(world).begin("proxy-1").ratios()).isEmpty();

    flush(requests("a", "/Charge", 10_000, 6_000));

    Map<String, List<Long>> report = world.lastReport();
    assertThat(report.get("shadow").get(2)).isCloseTo(2_500, within(1L));
    assertThat(report.get("shadow").subList(0, 2)).containsExactly(10_000L, 0L);
    assertThat(report.get("wide")).containsExactly(10_000L, 0L, 0L);
  }

  @Test
  void oneIdentityLastsOverReconnectsAndNothingIsCountedTwice() {
    begin(rule("all", null, null));
    flush(requests("a", "/Charge", 50, 5_000));
    world.run(0.98);
    flush(requests("a", "/Charge", 50, 6_000));
    counts.cancel();
    world.run(0.4);
    counts = new CountsCall(world);
    counts.send(first("proxy-1", requests("a", "/Charge", 40, 500)));
    world.run(0.02);

    assertThat(world.aggregators.streams()).hasSize(1);
    assertThat(reported()).isEqualTo(140);
    // The first flush of a new stream covers what the last ones did, not the time without a stream.
    assertThat(reports().get(reports().size() - 1).getElapsedNanos()).isEqualTo(SECOND);
    assertThat(reports()).extracting(Report::getSequence).doesNotHaveDuplicates();
  }

  @Test
  void aProxyThatHasVanishedTakesLeaveAndBeginsAnewWithAGreaterEpoch() {
    begin(rule("all", null, null));
    flush(requests("a", "/Charge", 100, 5_000));
    long epoch = world.aggregators.last().received().get(0).getHello().getEpoch();
    counts.cancel();

    for (int second = 0; second < 45; second++) {
      world.aggregators.last().slowDown(0);
      world.run(1);
    }
    assertThat(world.aggregators.last().received()).anyMatch(AgentMessage::hasGoodbye);
    assertThat(world.aggregators.last().isClosed()).isTrue();

    counts = new CountsCall(world);
    counts.send(first("proxy-1"));
    world.run(0.02);
    assertThat(world.aggregators.streams()).hasSize(2);
    assertThat(world.aggregators.last().received().get(0).getHello().getEpoch())
        .isGreaterThan(epoch);
  }

  @Test
  void callersBeyondTheBoundAreCountedTogetherAndTheWideStagesStillKnowThem() {
    World small = new World(20);
    counts = new CountsCall(small);
    counts.send(first("proxy-1"));
    small.rules(rule("charge", null, "Charge"), rule("each", null, null, true, Behavior.DENY));
    List<MetricFamily> families = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      families.add(requests("stranger-" + i, "/Charge", 1, 5_000));
    }
    counts.send(message(families.toArray(MetricFamily[]::new)));
    small.run(0.02);

    Map<String, List<Long>> report = small.lastReport();
    assertThat(report.get("charge")).containsExactly(10_000L, 0L, 0L);
    assertThat(report.get("each *").get(0)).isGreaterThan(9_900L);
    assertThat(small.registry.get("headgate.envoy.pairs").gauge().value()).isLessThan(30);
    small.drop("charge", 0.5);
    small.drop("each", "*", 0.5);
    Map<String, Long> ratios = new DeltaCall(small).begin("proxy-1").ratios();
    assertThat(ratios).containsEntry("procedure|shop|/Charge", 500_000L);
    assertThat(small.registry.get("headgate.envoy.overflow").gauge().value()).isGreaterThan(9_900);
  }

  @Test
  void callersNotSeenForFiveMinutesMakeRoomForOthers() {
    World small = new World(20);
    counts = new CountsCall(small);
    counts.send(first("proxy-1"));
    small.rules(rule("each", null, null, true, Behavior.DENY));
    List<MetricFamily> families = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      families.add(requests("former-" + i, "/Charge", 1, 5_000));
    }
    counts.send(message(families.toArray(MetricFamily[]::new)));
    small.run(0.02);
    assertThat(small.registry.get("headgate.envoy.overflow").gauge().value()).isEqualTo(11);

    small.run(311);
    counts.send(message(requests("later", "/Charge", 1, 400_000)));
    small.run(0.02);

    // What stands for all callers, what stands for those beyond the bound, and the later one.
    assertThat(small.registry.get("headgate.envoy.pairs").gauge().value()).isEqualTo(3);
    assertThat(small.registry.get("headgate.envoy.overflow").gauge().value()).isEqualTo(11);
  }

  @Test
  void namesThatAreNoTextStayApart() {
    begin(rule("each", null, null, true, Behavior.DENY));
    counts.send(
        message(
            withCaller(ByteString.copyFrom(new byte[] {'a', (byte) 0xFF})),
            withCaller(ByteString.copyFrom(new byte[] {'a', (byte) 0xFE})),
            withCaller(ByteString.copyFromUtf8("a\u00e9"))));
    world.run(0.02);

    assertThat(world.lastReport()).containsOnlyKeys("each a\\xFF", "each a\\xFE", "each a\u00e9");
  }

  /** A family as it comes over the wire, where a proxy does not mind what is text. */
  private static MetricFamily withCaller(ByteString caller) {
    MetricFamily family = requests("", "/Charge", 5, 5_000);
    return family.toBuilder()
        .setMetric(
            0,
            family.getMetric(0).toBuilder()
                .setLabel(1, LabelPair.newBuilder().setName("caller").setValueBytes(caller)))
        .build();
  }

  @Test
  void aStreamOfNobodyIsReadOnAndCountsNothing() {
    begin(rule("all", null, null));
    CountsCall stranger = new CountsCall(world);
    stranger.send(
        StreamMetricsMessage.newBuilder()
            .setIdentifier(
                StreamMetricsMessage.Identifier.newBuilder()
                    .setNode(World.node("").toBuilder().setCluster("a b")))
            .build());
    for (int i = 0; i < 100; i++) {
      stranger.send(message(requests("a", "/Charge", 10, 5_000)));
    }
    world.run(0.02);

    assertThat(reported()).isZero();
    assertThat(world.counted("headgate.envoy.proxies.refused")).isEqualTo(1);
  }

  @Test
  void aStreamIsReadOnWhileTheLoopStandsAndNoCountIsLost() {
    begin(rule("all", null, null));
    for (int second = 0; second < 1_000; second++) {
      counts.send(message(requests("a", "/Charge", 10, 5_000 + second)));
    }
    world.run(0.02);

    assertThat(reported()).isEqualTo(10_000);
  }

  @Test
  void countsThatAreNoneAreLeftOut() {
    begin(rule("all", null, null));
    flush(
        requests("a", "/Charge", Double.NaN, 5_000),
        requests("b", "/Charge", -5, 5_000),
        requests("c", "/Charge", 1e300, 5_000),
        drops("a", "/Charge", "another", 5, 5_000),
        requests("d", "/Charge", 7, 5_000));

    assertThat(reported()).isEqualTo(7);
    assertThat(world.counted("headgate.envoy.metrics.refused")).isEqualTo(1);
  }
}
