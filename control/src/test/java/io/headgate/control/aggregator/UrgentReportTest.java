package io.headgate.control.aggregator;

import static io.headgate.control.aggregator.Samples.SECOND_NANOS;
import static io.headgate.control.aggregator.Samples.firstReport;
import static io.headgate.control.aggregator.Samples.report;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.protocol.v1.LevelCount;
import io.headgate.protocol.v1.RecentCount;
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
}
