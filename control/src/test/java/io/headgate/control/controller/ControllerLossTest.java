package io.headgate.control.controller;

import static io.headgate.control.controller.TestRegion.ORDERS;
import static io.headgate.control.controller.TestRegion.rule;
import static io.headgate.control.controller.TestRegion.rules;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.core.rule.Scope;
import io.headgate.core.shed.Directive;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ControllerLossTest {

  private final TestRegion region =
      new TestRegion().rules(rules(1, rule("orders", Scope.REGION, 100, Map.of())));
  private TestAggregator a;
  private TestAggregator b;

  @BeforeEach
  void twoAggregatorsOfOneZone() {
    a = region.aggregator("a", "eu-1", ORDERS, 100).clients(10);
    b = region.aggregator("b", "eu-1", ORDERS, 100).clients(10);
    region.runFor(3);
    assertThat(a.accept(ORDERS)).isCloseTo(0.5, within(1e-6));
  }

  @Test
  void holdsDemandWhileClientsMoveToTheOtherAggregator() {
    region.lose(a);
    region.runFor(0.5);
    assertThat(b.accept(ORDERS)).isCloseTo(0.5, within(1e-6));

    b.clients(14).offer(ORDERS, 140);
    region.runFor(1);
    assertThat(b.accept(ORDERS)).isCloseTo(0.5, within(1e-6));

    b.clients(20).offer(ORDERS, 200);
    region.runFor(5);
    assertThat(b.accept(ORDERS)).isCloseTo(0.5, within(1e-6));
  }

  @Test
  void letsGoOfClientsThatDoNotTurnUp() {
    region.lose(a);
    // As long as the clients obey their last directives, for the TTL of 5 s.
    region.runFor(4.9);
    assertThat(b.accept(ORDERS)).isCloseTo(0.5, within(1e-6));

    region.runFor(1.2);

    assertThat(b.directive(ORDERS)).isEqualTo(Directive.NONE);
  }

  @Test
  void holdsTheDemandOfAnAggregatorThatIsSilent() {
    region.silence(a);

    // Silent after 1.5 s, held for 5 s more.
    region.runFor(6.4);
    assertThat(b.accept(ORDERS)).isCloseTo(0.5, within(1e-6));
    region.runFor(2);
    assertThat(b.directive(ORDERS)).isEqualTo(Directive.NONE);
  }

  @Test
  void aGoodbyeCountsAtOnce() {
    region.silence(a);
    a.goodbye();

    region.runFor(1);

    assertThat(b.directive(ORDERS)).isEqualTo(Directive.NONE);
    assertThat(region.status().aggregators()).hasSize(1);
    assertThat(a.link().isClosed()).isTrue();
  }

  @Test
  void aRestartedAggregatorNeitherDipsNorCountsTwice() {
    region.lose(a);
    TestAggregator restarted = region.stranger("a", 2, "eu-1").clients(0).connect();
    region.reporting(restarted);
    restarted.report();
    for (int moved = 0; moved <= 10; moved += 5) {
      restarted.clients(moved).offer(ORDERS, 10 * moved);
      region.runFor(1);
      assertThat(b.accept(ORDERS)).isCloseTo(0.5, within(1e-6));
    }
  }

  @Test
  void aNewStreamOfTheSameRunReplacesTheOldOne() {
    region.silence(a);
    TestAggregator again = region.stranger("a", 1, "eu-1").clients(10).offer(ORDERS, 100).connect();
    region.reporting(again);
    again.report();

    region.runFor(5);

    assertThat(a.link().isClosed()).isTrue();
    assertThat(b.accept(ORDERS)).isCloseTo(0.5, within(1e-6));
    assertThat(region.status().aggregators()).hasSize(2);
  }

  @Test
  void anOlderRunOfTheSameAggregatorIsRefused() {
    region.lose(a);
    region.stranger("a", 3, "eu-1").connect();

    TestAggregator old = region.stranger("a", 2, "eu-1").offer(ORDERS, 900).connect();

    assertThat(old.link().isClosed()).isTrue();
    assertThat(region.refused("old_epoch")).isEqualTo(1);
  }

  @Test
  void anOlderRunIsRefusedWhileTheRatesOfTheLaterOneAreHeld() {
    region.lose(a);

    TestAggregator old = region.stranger("a", 0, "eu-1").connect();

    assertThat(old.link().isClosed()).isTrue();
  }

  @Test
  void showsTheLostWhileTheirRatesAreHeld() {
    region.lose(a);
    region.runFor(1);

    assertThat(region.status().aggregators())
        .filteredOn(link -> link.id().equals("a"))
        .singleElement()
        .satisfies(
            link -> {
              assertThat(link.connected()).isFalse();
              assertThat(link.clients()).isEqualTo(10);
            });
  }
}
