package io.headgate.control.controller;

import static io.headgate.control.controller.TestRegion.ORDERS;
import static io.headgate.control.controller.TestRegion.rule;
import static io.headgate.control.controller.TestRegion.rules;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.control.VirtualEventLoop;
import io.headgate.core.rule.RuleSet;
import io.headgate.core.rule.Scope;
import io.headgate.protocol.v1.ControllerHello;
import io.headgate.protocol.v1.Directives;
import io.headgate.protocol.v1.ZoneDirection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ControllerLearningTest {

  private static final RuleSet RULES = rules(1, rule("orders", Scope.REGION, 100, Map.of()));

  @Test
  void saysFirstThatItIsLearningAndThenTheRules() {
    TestRegion region = new TestRegion().rules(RULES);

    TestAggregator a = region.stranger("a", 1, "eu-1").connect();

    List<ZoneDirection> heard = a.take();
    assertThat(heard).hasSize(2);
    assertThat(heard.get(0).getHello())
        .isEqualTo(
            ControllerHello.newBuilder()
                .setControllerId("controller-1")
                .setEpoch(1)
                .setRegion("eu")
                .setLearning(true)
                .build());
    assertThat(heard.get(1).getRules().getConfigVersion()).isEqualTo(1);
    assertThat(heard.get(1).getRules().getService(0).getRule(0).getName()).isEqualTo("orders");
  }

  @Test
  void isSilentForAFullIntervalAndThenRight() {
    TestRegion region = new TestRegion().rules(RULES);
    TestAggregator a = region.aggregator("a", "eu-1", ORDERS, 200);
    region.runFor(0.99);
    assertThat(a.takeDirectives()).isEmpty();

    region.runFor(0.01);

    List<ZoneDirection> heard =
        a.take().stream().filter(direction -> !direction.getHello().getLearning()).toList();
    assertThat(heard).hasSize(2);
    assertThat(heard.get(0).hasHello()).isTrue();
    Directives first = heard.get(1).getDirectives();
    assertThat(first.getComplete()).isTrue();
    assertThat(first.getAccept(0)).isEqualTo(1 << 31);
  }

  @Test
  void showsThatItIsThereWhileItIsLearning() {
    TestRegion region = new TestRegion();
    TestAggregator a = region.stranger("a", 1, "eu-1").connect();
    a.take();

    region.runFor(3);

    assertThat(a.take()).hasSize(3).allMatch(direction -> direction.getHello().getLearning());
  }

  @Test
  void waitsForAllButATenthOfTheAggregatorsItExpects() {
    TestRegion region = expecting(3);
    TestAggregator a = region.aggregator("a", "eu-1", ORDERS, 100);
    TestAggregator b = region.aggregator("b", "eu-2", ORDERS, 100);
    region.runFor(3);
    assertThat(a.takeDirectives()).isEmpty();

    TestAggregator c = region.aggregator("c", "eu-3", ORDERS, 200);
    region.runFor(1);

    // Not for a moment an accept that is computed without the third.
    for (TestAggregator each : List.of(a, b, c)) {
      assertThat(each.takeDirectives())
          .isNotEmpty()
          .flatExtracting(Directives::getAcceptList)
          .containsOnly(1 << 30);
    }
  }

  @Test
  void judgesWithWhatItHasAfterFiveSeconds() {
    TestRegion region = expecting(3);
    TestAggregator a = region.aggregator("a", "eu-1", ORDERS, 200);

    region.runFor(4.99);
    assertThat(a.takeDirectives()).isEmpty();
    region.runFor(0.02);

    assertThat(a.accept(ORDERS)).isCloseTo(0.5, within(1e-6));
  }

  @Test
  void waitsForAnAggregatorThatIsConnectedButHasNotReported() {
    TestRegion region = new TestRegion().rules(RULES);
    TestAggregator a = region.aggregator("a", "eu-1", ORDERS, 200);
    TestAggregator mute = region.stranger("b", 1, "eu-2").connect();

    region.runFor(4.99);
    assertThat(a.takeDirectives()).isEmpty();
    region.runFor(0.02);

    assertThat(a.takeDirectives()).isNotEmpty();
    assertThat(mute.takeDirectives()).isEmpty();
  }

  @Test
  void aggregatorsWithoutClientsAreAnEmptyStateAndNotJudged() {
    TestRegion region = new TestRegion().rules(RULES);
    TestAggregator a = region.aggregator("a", "eu-1", ORDERS, 0);
    a.clients(0).report();
    region.runFor(3);
    assertThat(a.takeDirectives()).isEmpty();

    a.clients(3).offer(ORDERS, 400);
    region.runFor(1.1);

    assertThat(a.takeDirectives().get(0).getAcceptList()).containsExactly(1 << 30);
  }

  @Test
  void doesNotJudgeWithoutRules() {
    TestRegion region = new TestRegion();
    TestAggregator a = region.aggregator("a", "eu-1", ORDERS, 200);
    region.runFor(20);
    assertThat(a.takeDirectives()).isEmpty();
    assertThat(region.controller.isReady()).isFalse();

    region.rules(RULES);

    assertThat(region.controller.isReady()).isTrue();
    assertThat(a.accept(ORDERS)).isCloseTo(0.5, within(1e-6));
  }

  @Test
  void learnsAgainAfterItHasLostAllAggregators() {
    TestRegion region = new TestRegion().rules(RULES);
    TestAggregator a = region.aggregator("a", "eu-1", ORDERS, 200);
    region.runFor(3);
    region.lose(a);
    region.runFor(10);
    assertThat(region.status().learning()).isTrue();

    TestAggregator again = region.stranger("a", 2, "eu-1").connect();

    assertThat(again.take().get(0).getHello().getLearning()).isTrue();
  }

  @Test
  void neverClearsBecauseAllAggregatorsAreSilent() {
    TestRegion region = new TestRegion().rules(RULES);
    TestAggregator a = region.aggregator("a", "eu-1", ORDERS, 100);
    TestAggregator b = region.aggregator("b", "eu-2", ORDERS, 100);
    region.runFor(3);
    region.silence(a);
    region.silence(b);
    region.runFor(30);
    assertThat(a.accept(ORDERS)).isCloseTo(0.5, within(1e-6));
    assertThat(region.status().learning()).isTrue();
    a.take();

    // The first that is heard again is half of the truth.
    region.reporting(a);
    a.report();
    region.runFor(3);
    assertThat(a.takeDirectives()).isEmpty();

    region.reporting(b);
    b.report();
    region.runFor(3);
    assertThat(a.accept(ORDERS)).isCloseTo(0.5, within(1e-6));
  }

  @Test
  void theTimeToLearnBeginsAnewWithANewConnection() {
    TestRegion region = expecting(3);
    TestAggregator a = region.aggregator("a", "eu-1", ORDERS, 200);
    region.runFor(4);
    region.lose(a);
    region.runFor(10);

    TestAggregator b = region.aggregator("b", "eu-1", ORDERS, 300);
    region.runFor(4.9);
    assertThat(b.takeDirectives()).isEmpty();
    region.runFor(0.2);
    assertThat(b.takeDirectives()).isNotEmpty();
  }

  private static TestRegion expecting(int aggregators) {
    return new TestRegion(
            TestRegion.settings("controller-1", "eu", List.of())
                .withLearning(Duration.ofSeconds(5), aggregators),
            new VirtualEventLoop(),
            new TestNetwork())
        .rules(RULES);
  }
}
