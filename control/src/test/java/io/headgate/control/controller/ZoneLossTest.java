package io.headgate.control.controller;

import static io.headgate.control.controller.TestRegion.ORDERS;
import static io.headgate.control.controller.TestRegion.rule;
import static io.headgate.control.controller.TestRegion.rules;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.core.rule.Scope;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Three zones of 50 with a limit of 120 all together. */
class ZoneLossTest {

  private static final Offset<Double> EXACTLY = within(1e-6);

  private final TestRegion region =
      new TestRegion().rules(rules(1, rule("orders", Scope.REGION, 120, Map.of())));
  private TestAggregator a;
  private TestAggregator c;

  @BeforeEach
  void threeZones() {
    a = region.aggregator("a", "eu-1", ORDERS, 50).clients(10);
    region.aggregator("b", "eu-2", ORDERS, 50).clients(10);
    c = region.aggregator("c", "eu-3", ORDERS, 50).clients(10);
    region.runFor(3.5);
    assertThat(a.accept(ORDERS)).isCloseTo(0.8, EXACTLY);
  }

  @Test
  void theOthersMakeRoomForALostZoneAsItsAgentsLetGo() {
    region.lose(c);
    region.runFor(4);
    assertThat(a.accept(ORDERS)).isCloseTo(0.8, EXACTLY);

    // All 50 of it pass in the end, and leave 70 of 120 for the 100 of the others.
    region.runFor(14);
    assertThat(a.accept(ORDERS)).isCloseTo(0.7, EXACTLY);
    assertThat(region.gauge("headgate.controller.zone.open.clients", "zone", "eu-3")).isEqualTo(10);
    assertThat(region.gauge("headgate.rule.held.per.second", "rule", "orders")).isEqualTo(50);

    region.runFor(570);
    assertThat(a.accept(ORDERS)).isCloseTo(0.7, EXACTLY);
    region.runFor(20);
    assertThat(a.accept(ORDERS)).isEqualTo(1);
  }

  @Test
  void aZoneThatIsSilentIsNoOther() {
    region.silence(c);
    region.runFor(20);

    assertThat(a.accept(ORDERS)).isCloseTo(0.7, EXACTLY);
  }

  @Test
  void aZoneThatComesBackSharesTheLimitAsBefore() {
    region.lose(c);
    region.runFor(30);

    TestAggregator back = region.stranger("c", 2, "eu-3").clients(0).connect();
    region.reporting(back);
    back.report();
    region.runFor(1);
    assertThat(a.accept(ORDERS)).isCloseTo(0.7, EXACTLY);
    back.clients(5).offer(ORDERS, 25);
    region.runFor(1.5);
    // 25 that let go, and 125 that obey: 95 pass of these.
    assertThat(a.accept(ORDERS)).isCloseTo(0.76, EXACTLY);
    back.clients(10).offer(ORDERS, 50);
    region.runFor(1.5);
    assertThat(a.accept(ORDERS)).isCloseTo(0.8, EXACTLY);
  }

  /** In full, as if they had reported what they offered when they were heard last. */
  @Test
  void clientsThatAreBackAreToldWhatToDoBeforeTheyReport() {
    region.lose(c);
    region.runFor(30);
    assertThat(a.accept(ORDERS)).isCloseTo(0.7, EXACTLY);

    TestAggregator back = region.stranger("c", 2, "eu-3").clients(0).connect();
    region.reporting(back);
    back.asking(5).offer(ORDERS, 0).report();
    region.runFor(0.1);
    // 25 let everything pass, 125 obey: 95 pass of these.
    assertThat(back.accept(ORDERS)).isCloseTo(0.76, EXACTLY);
    back.asking(10).report();
    region.runFor(1);
    assertThat(back.accept(ORDERS)).isCloseTo(0.8, EXACTLY);
    assertThat(a.accept(ORDERS)).isCloseTo(0.8, EXACTLY);
    assertThat(region.gauge("headgate.controller.zone.open.clients", "zone", "eu-3")).isZero();

    back.asking(0).clients(10).offer(ORDERS, 50).report();
    region.runFor(1.5);
    assertThat(back.accept(ORDERS)).isCloseTo(0.8, EXACTLY);
  }

  @Test
  void aZoneThatSaysGoodbyeLeavesTheLimitToTheOthers() {
    region.silence(c);
    c.goodbye();
    region.runFor(20);

    assertThat(a.accept(ORDERS)).isEqualTo(1);
  }

  @Test
  void whatIsHeldNeverTakesAllOfTheLimit() {
    region.rules(rules(2, rule("orders", Scope.REGION, 40, Map.of())));
    region.lose(c);
    region.runFor(20);

    // A tenth of the limit, 4, is left to 100.
    assertThat(a.accept(ORDERS)).isCloseTo(0.04, EXACTLY);
  }
}
