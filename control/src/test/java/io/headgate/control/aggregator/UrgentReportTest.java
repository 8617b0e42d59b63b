package io.headgate.control.aggregator;

import static io.headgate.control.aggregator.Samples.SECOND_NANOS;
import static io.headgate.control.aggregator.Samples.firstReport;
import static io.headgate.control.aggregator.Samples.report;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.protocol.v1.LevelCount;
import io.headgate.protocol.v1.RecentCount;
import io.headgate.protocol.v1.ZoneReport;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class UrgentReportTest {

  private AggregatorWorld world;
  private FakeAgent agent;

  @BeforeEach
  void setUp() {
    world = AggregatorWorld.withRules();
    agent = world.connect("a");
    agent.report(firstReport(40));
    world.interval();
    world.interval();
  }

  @Test
  void anUrgentReportReachesTheControllerWithoutWaitingForTheInterval() {
    agent.report(
        report(2).setUrgent(true).setElapsedNanos(SECOND_NANOS / 4).addBucket(1).addOffered(100));
    world.runFor(20);

    assertThat(world.offered()).isEqualTo(400);
  }

  /** The bucket of the other client has moved too, by less than two standard deviations. */
  @Test
  void anUrgentReportBringsOtherBucketsAlongOnlyIfTheyHaveMovedByMoreThanNoise() {
    FakeAgent other = world.connect("b");
    other.report(
        report(1).addDefine(Samples.bucket(1, "each", "shop")).addBucket(1).addOffered(1_000));
    agent.report(report(2).addBucket(1).addOffered(40));
    world.interval();
    other.report(report(2).addBucket(1).addOffered(1_080));
    world.controller().readReports();

    agent.report(report(3).setUrgent(true).addBucket(1).addOffered(41));
    world.runFor(20);

    ZoneReport urgent = world.controller().readReports().get(0);
    assertThat(urgent.getUrgent()).isTrue();
    assertThat(urgent.getOfferedList()).containsExactly(41.0);

    world.interval();
    assertThat(world.controller().offered()).containsValue(1_080.0);
  }

  /** 1 in 50 ms says little of a rate, 25 in 250 ms says more. */
  @Test
  void whatWasToldInHasteIsPutRightAtOnceEvenIfItsNoiseWouldExplainTheDifference() {
    agent.report(report(2).addBucket(1).addOffered(100));
    world.interval();
    agent.report(
        report(3)
            .setUrgent(true)
            .setElapsedNanos(SECOND_NANOS)
            .addBucket(1)
            .addOffered(100)
            .addRecent(RecentCount.newBuilder().setNanos(SECOND_NANOS / 20).setOffered(1)));
    world.runFor(20);
    assertThat(world.offered()).isEqualTo(20);

    agent.report(
        report(4).setUrgent(true).setElapsedNanos(SECOND_NANOS / 4).addBucket(1).addOffered(25));
    world.runFor(20);
    assertThat(world.offered()).isEqualTo(100);
  }

  @Test
  void aReportThatIsNotUrgentWaits() {
    double before = world.offered();
    agent.report(report(2).addBucket(1).addOffered(100));
    world.runFor(20);

    assertThat(world.offered()).isEqualTo(before);
  }

  @Test
  void aRowWhoseRateHasChangedCountsWithTheRateAtItsEnd() {
    // 40 in all, 30 of them in the last 50 ms: the rate is 600 now, whatever it was before.
    agent.report(
        report(2)
            .setUrgent(true)
            .setElapsedNanos(SECOND_NANOS / 2)
            .addBucket(1)
            .addOffered(40)
            .addLevel(LevelCount.newBuilder().setLevel(9).setOffered(10))
            .addRecent(RecentCount.newBuilder().setNanos(SECOND_NANOS / 20).setOffered(30)));
    world.runFor(20);

    assertThat(world.offered()).isCloseTo(600, within(1e-6));
    assertThat(world.controller().levels(AggregatorWorld.ALL).get(9)).isCloseTo(150, within(1e-6));
  }

  @Test
  void aRecentCountThatMakesNoSenseIsRefused() {
    agent.report(
        report(2)
            .addBucket(1)
            .addOffered(10)
            .addRecent(RecentCount.newBuilder().setNanos(SECOND_NANOS / 20).setOffered(11)));
    agent.report(
        report(2)
            .addBucket(1)
            .addOffered(10)
            .addRecent(RecentCount.newBuilder().setNanos(2 * SECOND_NANOS).setOffered(1)));
    agent.report(
        report(2)
            .addBucket(1)
            .addOffered(10)
            .addRecent(RecentCount.newBuilder().setRow(1).setNanos(SECOND_NANOS / 20)));

    assertThat(world.refused(Refusal.RECENT)).isEqualTo(3);
  }

  @Test
  void twoRecentCountsOfARowAreRefused() {
    agent.report(
        report(2)
            .addBucket(1)
            .addOffered(10)
            .addBucket(2)
            .addOffered(1)
            .addDefine(Samples.bucket(2, "each", "shop"))
            .addRecent(RecentCount.newBuilder().setNanos(SECOND_NANOS / 20))
            .addRecent(RecentCount.newBuilder().setNanos(SECOND_NANOS / 20).setOffered(1)));

    assertThat(world.refused(Refusal.RECENT)).isEqualTo(1);
  }

  @Test
  void aRecentCountMayNotBeAGreaterRateThanOneClientCanHave() {
    agent.report(
        report(2)
            .addBucket(1)
            .addOffered(1_000_001)
            .addRecent(RecentCount.newBuilder().setNanos(1_000_000).setOffered(1_000_001)));

    assertThat(world.refused(Refusal.RATE)).isEqualTo(1);
  }

  @Test
  void aRowThatOffersNothingAnyMoreCountsAsNothing() {
    agent.report(
        report(2)
            .setUrgent(true)
            .addBucket(1)
            .addOffered(10)
            .addRecent(RecentCount.newBuilder().setNanos(SECOND_NANOS / 20)));
    world.runFor(20);

    assertThat(world.offered()).isZero();
  }

  @Test
  void anUrgentReportToTheControllerHoldsOnlyWhatHasChanged() {
    FakeAgent other = world.connect("b");
    other.report(report(1).addDefine(Samples.bucket(1, "each", "shop")).addBucket(1).addOffered(5));
    agent.reportAgain(40);
    world.interval();
    world.controller().read();

    agent.report(report(3).setUrgent(true).addBucket(1).addOffered(90));
    world.runFor(20);

    assertThat(world.controller().readReports())
        .singleElement()
        .satisfies(
            message -> {
              assertThat(message.getUrgent()).isTrue();
              assertThat(message.getOfferedList()).containsExactly(90.0);
            });
    assertThat(world.controller().offered().values()).containsExactlyInAnyOrder(90.0, 5.0);
  }

  /**
   * Of a client that has come from an aggregator that died, controllers hold the old rates until
   * then.
   */
  @Test
  void anUrgentReportCountsTheClientsWhoseRatesItBrings() {
    agent.reportAgain(40);
    world.interval();
    world.controller().read();
    FakeAgent other = world.connect("b");

    other.report(
        report(1)
            .setUrgent(true)
            .addDefine(Samples.bucket(1, "each", "shop"))
            .addBucket(1)
            .addOffered(5));
    world.runFor(20);

    assertThat(world.controller().readReports())
        .singleElement()
        .satisfies(message -> assertThat(message.getClients()).isEqualTo(2));
  }

  @Test
  void anUrgentReportThatChangesNothingGoesNoFurther() {
    agent.reportAgain(40);
    world.interval();
    world.controller().read();

    agent.report(report(3).setUrgent(true).addBucket(1).addOffered(40));
    world.runFor(20);

    assertThat(world.controller().readReports()).isEmpty();
  }

  @Test
  void urgentReportsOfManyClientsGoOnTogether() {
    world.runFor(150);
    world.controller().read();
    for (int i = 0; i < 10; i++) {
      world.connect("client-" + i).report(firstReport(10).setUrgent(true));
      world.runFor(1);
    }
    world.runFor(5);

    assertThat(world.controller().readReports().stream().filter(m -> m.getUrgent())).hasSize(1);
  }

  /** None of them has made enough requests for a change to show. */
  @Test
  void aChangeThatOnlyTheSumOfManyClientsShowsIsNews() {
    List<FakeAgent> clients = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      clients.add(world.connect("client-" + i));
      clients.get(i).report(firstReport(10));
    }
    world.interval();
    world.controller().read();

    clients.forEach(client -> client.reportAgain(5));
    world.runFor(110);

    assertThat(world.controller().readReports()).filteredOn(ZoneReport::getUrgent).isNotEmpty();
    assertThat(world.controller().offered().values()).containsExactly(250.0 + 40);
  }

  @Test
  void noiseIsNoNews() {
    List<FakeAgent> clients = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      clients.add(world.connect("client-" + i));
      clients.get(i).report(firstReport(10));
    }
    world.interval();
    world.controller().read();

    for (int i = 0; i < 50; i++) {
      clients.get(i).reportAgain(8 + i % 5);
    }
    world.runFor(110);

    assertThat(world.controller().readReports()).filteredOn(ZoneReport::getUrgent).isEmpty();
  }

  @Test
  void aClientThatLeavesIsNews() {
    world.interval();
    world.controller().read();

    agent.goodbye();
    world.runFor(20);

    assertThat(world.controller().readReports())
        .filteredOn(ZoneReport::getUrgent)
        .singleElement()
        .satisfies(message -> assertThat(message.getClients()).isZero());
  }
}
