package io.headgate.control.aggregator;

import static io.headgate.control.aggregator.Samples.SECOND_NANOS;
import static io.headgate.control.aggregator.Samples.bucket;
import static io.headgate.control.aggregator.Samples.firstReport;
import static io.headgate.control.aggregator.Samples.report;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.groups.Tuple.tuple;

import io.headgate.control.status.BucketStatus;
import io.headgate.core.rule.BucketKey;
import io.headgate.core.rule.RuleSet;
import io.headgate.protocol.v1.LevelCount;
import io.headgate.protocol.v1.ZoneReport;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class LatchedRatesTest {

  private AggregatorWorld world;

  @BeforeEach
  void setUp() {
    world = AggregatorWorld.withRules();
    world.interval();
  }

  @Test
  void ratesOfAllClientsAddUp() {
    FakeAgent a = world.connect("a");
    FakeAgent b = world.connect("b");
    a.report(
        firstReport(100)
            .addDefine(bucket(2, "each", "shop"))
            .addBucket(2)
            .addOffered(7)
            .addDropped(40)
            .addDropped(0)
            .addWouldDrop(0)
            .addWouldDrop(3));
    b.report(
        report(1)
            .addDefine(bucket(71, "all", ""))
            .addDefine(bucket(9, "each", "desk"))
            .addBucket(9)
            .addOffered(5)
            .addBucket(71)
            .addOffered(50));
    world.interval();

    assertThat(world.controller().offered())
        .containsOnly(
            entry(AggregatorWorld.ALL, 150.0),
            entry(new BucketKey("payments", "each", "shop", ""), 7.0),
            entry(new BucketKey("payments", "each", "desk", ""), 5.0));
    assertThat(world.status().buckets())
        .extracting(
            BucketStatus::rule,
            BucketStatus::caller,
            BucketStatus::offeredPerSecond,
            BucketStatus::droppedPerSecond,
            BucketStatus::wouldDropPerSecond)
        .containsExactlyInAnyOrder(
            tuple("all", "", 150.0, 40.0, 0.0),
            tuple("each", "shop", 7.0, 0.0, 3.0),
            tuple("each", "desk", 5.0, 0.0, 0.0));
  }

  @Test
  void aRateIsTheCountByTheTimeThatItCovers() {
    world.connect("a").report(firstReport(300).setElapsedNanos(2 * SECOND_NANOS));
    world.connect("b").report(firstReport(30).setElapsedNanos(SECOND_NANOS / 4));
    world.interval();

    assertThat(world.offered()).isEqualTo(150 + 120);
  }

  @Test
  void levelsThatAreNotTheDefaultAddUpApart() {
    FakeAgent a = world.connect("a");
    FakeAgent b = world.connect("b");
    a.report(firstReport(100).addLevel(level(0, 0, 10)).addLevel(level(0, 9, 20)));
    b.report(firstReport(50).addLevel(level(0, 9, 5)));
    world.interval();

    assertThat(world.offered()).isEqualTo(150);
    assertThat(world.controller().levels(AggregatorWorld.ALL))
        .containsOnly(entry(0, 10.0), entry(9, 25.0));

    a.reportAgain(100);
    b.reportAgain(50);
    world.interval();
    assertThat(world.controller().levels(AggregatorWorld.ALL)).isEmpty();
  }

  @Test
  void aBucketThatAReportLeavesOutOffersNothing() {
    FakeAgent agent = world.connect("a");
    agent.report(firstReport(100).addDefine(bucket(2, "each", "shop")).addBucket(2).addOffered(7));
    agent.reportAgain(90);
    world.interval();

    assertThat(world.controller().offered()).containsOnly(entry(AggregatorWorld.ALL, 90.0));
  }

  @Test
  void ratesHoldForTwoAndAHalfIntervals() {
    FakeAgent agent = world.connect("a");
    agent.report(firstReport(100));
    world.runFor(2499);
    assertThat(world.offered()).isEqualTo(100);

    world.runFor(1001);
    assertThat(world.offered()).isZero();
    assertThat(world.status().clients()).isZero();
  }

  @Test
  void aReportRenewsWhatTheOneBeforeItLeft() {
    FakeAgent agent = world.connect("a");
    agent.report(firstReport(100));
    for (int i = 0; i < 5; i++) {
      world.runFor(2400);
      agent.reportAgain(100 + i);
      world.controller().heartbeat();
    }
    world.interval();
    assertThat(world.offered()).isEqualTo(104);
  }

  @Test
  void aRepeatedOrOlderReportIsIgnored() {
    FakeAgent agent = world.connect("a");
    agent.report(firstReport(100));
    agent.report(report(5).addBucket(1).addOffered(110));
    agent.report(report(5).addBucket(1).addOffered(500));
    agent.report(report(4).addBucket(1).addOffered(500));
    agent.report(report(0).addBucket(1).addOffered(500));
    world.interval();

    assertThat(world.offered()).isEqualTo(110);
    assertThat(world.refused(Refusal.DUPLICATE)).isEqualTo(3);
    assertThat(world.count("headgate.rule.offered", "rule", "all")).isEqualTo(210);
  }

  @Test
  void duplicatesNeverCloseAStream() {
    FakeAgent agent = world.connect("a");
    for (int i = 0; i < 50; i++) {
      agent.report(firstReport(100));
    }
    assertThat(agent.isClosed()).isFalse();
  }

  @Test
  void aGoodbyeRemovesTheRatesAtOnce() {
    FakeAgent agent = world.connect("a");
    world.connect("b").report(firstReport(10));
    agent.report(firstReport(100));
    agent.goodbye();
    agent.reportAgain(100);
    world.interval();

    assertThat(world.offered()).isEqualTo(10);
    assertThat(world.refused(Refusal.OLD_EPOCH)).isEqualTo(1);
  }

  @Test
  void aBrokenStreamLeavesTheRatesOneIntervalMore() {
    FakeAgent agent = world.connect("a");
    agent.report(firstReport(100));
    world.runFor(100);
    agent.breakOff();
    world.runFor(999);
    assertThat(world.offered()).isEqualTo(100);

    world.runFor(1001);
    assertThat(world.offered()).isZero();
    assertThat(world.gauge("headgate.aggregator.streams")).isZero();
  }

  @Test
  void aBrokenStreamDoesNotLengthenTheRates() {
    FakeAgent agent = world.connect("a");
    agent.report(firstReport(100));
    world.runFor(2400);
    agent.breakOff();
    world.runFor(1100);
    assertThat(world.offered()).isZero();
  }

  @Test
  void aClientThatReconnectsKeepsItsRatesAndItsSequence() {
    FakeAgent before = world.connect("a");
    before.report(firstReport(100));
    before.breakOff();
    FakeAgent after = world.connect("a");
    world.runFor(500);
    after.report(firstReport(100));
    assertThat(world.refused(Refusal.DUPLICATE)).isEqualTo(1);

    after.reportAgain(120);
    world.interval();
    assertThat(world.offered()).isEqualTo(120);
  }

  @Test
  void aSecondStreamOfTheSameStartReplacesTheFirst() {
    FakeAgent before = world.connect("a");
    before.report(firstReport(100));
    FakeAgent after = world.connect("a");
    assertThat(before.isClosed()).isTrue();

    after.report(report(2).addDefine(bucket(1, "all", "")).addBucket(1).addOffered(130));
    world.interval();
    assertThat(world.offered()).isEqualTo(130);
    assertThat(world.status().clients()).isEqualTo(1);
  }

  @Test
  void aLaterStartReplacesTheRatesOfTheOneBefore() {
    FakeAgent before = world.connect("a", 7);
    before.report(firstReport(100));
    before.report(report(40).addBucket(1).addOffered(100));
    FakeAgent after = world.connect("a", 8);
    assertThat(before.isClosed()).isTrue();
    world.interval();
    assertThat(world.offered()).isZero();

    after.report(firstReport(60));
    world.interval();
    assertThat(world.offered()).isEqualTo(60);
  }

  @Test
  void epochsAreComparedWithoutASign() {
    world.connect("a", 1).report(firstReport(100));
    world.connect("a", -1).report(firstReport(60));
    world.interval();

    assertThat(world.offered()).isEqualTo(60);
  }

  @Test
  void reportsOfAnEarlierStartAreIgnoredUntilTheLaterOneIsGone() {
    FakeAgent later = world.connect("a", 8);
    later.report(firstReport(100));
    FakeAgent earlier = world.connect("a", 7);
    earlier.report(firstReport(1));
    world.interval();
    assertThat(world.offered()).isEqualTo(100);
    assertThat(world.refused(Refusal.OLD_EPOCH)).isEqualTo(1);
    assertThat(earlier.isClosed()).isFalse();

    earlier.goodbye();
    world.interval();
    assertThat(world.offered()).isEqualTo(100);

    FakeAgent again = world.connect("a", 7);
    later.goodbye();
    again.report(firstReport(2));
    world.interval();
    assertThat(world.offered()).isEqualTo(2);
  }

  @Test
  void clientsOfDifferentServicesWithTheSameIdAreNotTheSame() {
    FakeAgent checkout = world.connect("a");
    FakeAgent desk = world.stranger(Set.of());
    desk.hello(FakeAgent.hello("a", 99).toBuilder().setService("desk").build());
    checkout.report(firstReport(100));
    desk.report(firstReport(11));
    world.interval();

    assertThat(world.offered()).isEqualTo(111);
  }

  @Test
  void reportsTellHowManyClientsAreFresh() {
    world.connect("a").report(firstReport(100));
    world.connect("b").report(report(1));
    world.connect("c");
    world.interval();

    List<ZoneReport> reports = world.controller().readReports();
    assertThat(reports.get(reports.size() - 1).getClients()).isEqualTo(2);
    assertThat(world.gauge("headgate.aggregator.clients")).isEqualTo(2);
    assertThat(world.gauge("headgate.aggregator.streams")).isEqualTo(3);
    assertThat(world.gauge("headgate.aggregator.latched")).isEqualTo(1);
  }

  @Test
  void countsAddUpByRule() {
    FakeAgent agent = world.connect("a");
    agent.report(firstReport(100).addDropped(40).addWouldDrop(0));
    agent.report(report(2).addBucket(1).addOffered(50).addWouldDrop(5));
    world.interval();

    assertThat(world.count("headgate.rule.offered", "service", "payments", "rule", "all"))
        .isEqualTo(150);
    assertThat(world.count("headgate.rule.admitted", "rule", "all")).isEqualTo(110);
    assertThat(world.count("headgate.rule.dropped", "rule", "all")).isEqualTo(40);
    assertThat(world.count("headgate.rule.would.drop", "rule", "all")).isEqualTo(5);
  }

  @Test
  void countsOfARuleThatIsGoneAreGone() {
    world.connect("a").report(firstReport(100));
    world.interval();
    world.controller().rules(Samples.payments(1).withVersion(2));
    assertThat(world.registry.find("headgate.rule.offered").counters()).hasSize(1);

    world.controller().rules(RuleSet.of(3, List.of()));
    assertThat(world.registry.find("headgate.rule.offered").counters()).isEmpty();
    world.interval();
    assertThat(world.offered()).isZero();
  }

  @Test
  void bucketsVanishOnceNobodyHasThem() {
    FakeAgent agent = world.connect("a");
    agent.report(firstReport(100).addDefine(bucket(2, "each", "shop")).addBucket(2).addOffered(7));
    world.interval();
    assertThat(world.gauge("headgate.aggregator.buckets")).isEqualTo(2);

    agent.goodbye();
    agent.breakOff();
    world.interval();
    world.interval();
    assertThat(world.gauge("headgate.aggregator.buckets")).isZero();
  }

  private static LevelCount level(int row, int level, long offered) {
    return LevelCount.newBuilder().setRow(row).setLevel(level).setOffered(offered).build();
  }
}
