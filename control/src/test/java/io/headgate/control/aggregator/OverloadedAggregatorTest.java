package io.headgate.control.aggregator;

import static io.headgate.control.aggregator.Samples.firstReport;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ticks are due each whole second; each test begins 0.3 s after one. */
final class OverloadedAggregatorTest {

  private final AggregatorWorld world = new AggregatorWorld(1, settings -> settings, () -> 0L);
  private FakeAgent agent;

  @BeforeEach
  void setUp() {
    world.controller().join(Samples.payments(1));
    world.runFor(300);
    agent = world.connect("a");
    agent.report(firstReport(100));
  }

  /** From 0.3 s after a tick to 0.3 s after the next, which comes as late as that. */
  private void heavyInterval() {
    world.runFor(300);
    world.loop.stall(Duration.ofMillis(700));
    world.loop.run();
  }

  private void overload() {
    heavyInterval();
    heavyInterval();
  }

  @Test
  void itAsksClientsToReportLessAndTellsThemWhenItIsOver() {
    overload();
    assertThat(agent.takeSlowDowns()).containsExactly(2_000);
    assertThat(world.status().slowDownMillis()).isEqualTo(2_000);
    assertThat(world.gauge("headgate.aggregator.slow.down")).isEqualTo(2);

    overload();
    assertThat(agent.takeSlowDowns()).containsExactly(3_000);

    for (int i = 0; i < 10; i++) {
      world.interval();
    }
    assertThat(agent.takeSlowDowns()).containsExactly(2_000, 0);
    assertThat(world.status().slowDownMillis()).isZero();
    assertThat(world.gauge("headgate.aggregator.slow.down")).isZero();
  }

  @Test
  void aClientThatConnectsInAnOverloadIsToldAtOnce() {
    overload();

    assertThat(world.connect("b").takeSlowDowns()).containsExactly(2_000);
  }

  @Test
  void aClientWhoseLinkIsSlowIsToldLater() {
    agent.linkReady(false);
    overload();
    assertThat(agent.takeSlowDowns()).isEmpty();

    agent.linkReady(true);
    world.interval();
    assertThat(agent.takeSlowDowns()).containsExactly(2_000);
  }

  @Test
  void ofSeveralReportsOfAClientOnlyTheNewestCounts() {
    overload();

    agent.reportAgain(110);
    agent.reportAgain(120);
    agent.reportAgain(130);
    world.interval();

    assertThat(world.offered()).isEqualTo(130);
    assertThat(world.refused(Refusal.SUPERSEDED)).isEqualTo(2);
    assertThat(world.refused(Refusal.DUPLICATE)).isZero();
  }

  @Test
  void aReportThatOvertookAnotherStays() {
    overload();

    agent.report(Samples.report(7).addBucket(1).addOffered(170));
    agent.report(Samples.report(6).addBucket(1).addOffered(160));
    world.interval();

    assertThat(world.offered()).isEqualTo(170);
    assertThat(world.refused(Refusal.DUPLICATE)).isEqualTo(1);
  }

  @Test
  void itWaitsLongerForClientsThatReportLess() {
    overload();
    overload();
    agent.reportAgain(110);

    // Asked for one report in 3 s: its rates hold for 7.5 s instead of 2.5 s.
    for (int i = 0; i < 7; i++) {
      heavyInterval();
      world.controller().heartbeat();
    }
    assertThat(world.offered()).isEqualTo(110);
  }

  @Test
  void whatWaitsIsTakenWhenTheClientLeaves() {
    overload();

    agent.reportAgain(110);
    agent.goodbye();
    world.interval();

    assertThat(world.offered()).isZero();
    assertThat(world.count("headgate.rule.offered", "rule", "all")).isEqualTo(210);
  }
}
