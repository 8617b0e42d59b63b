package io.headgate.control.controller;

import static io.headgate.control.controller.TestRegion.ORDERS;
import static io.headgate.control.controller.TestRegion.rule;
import static io.headgate.control.controller.TestRegion.rules;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.control.status.FileProblem;
import io.headgate.core.rule.Behavior;
import io.headgate.core.rule.RuleSet;
import io.headgate.core.rule.Scope;
import io.headgate.core.shed.Directive;
import io.headgate.protocol.v1.Directives;
import io.headgate.protocol.v1.ZoneDirection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ControllerRulesTest {

  private final TestRegion region = new TestRegion();
  private TestAggregator a;

  @BeforeEach
  void demandIsUnderTheLimit() {
    region.rules(rules(1, rule("orders", Scope.REGION, 100, Map.of())));
    a = region.aggregator("a", "eu-1", ORDERS, 90);
    region.runFor(3.5);
    a.take();
  }

  @Test
  void aHalvedLimitActsAtOnceInOnePush() {
    region.rules(rules(2, rule("orders", Scope.REGION, 50, Map.of())));

    List<ZoneDirection> heard = a.take();

    assertThat(heard).hasSize(2);
    assertThat(heard.get(0).getRules().getConfigVersion()).isEqualTo(2);
    Directives directives = heard.get(1).getDirectives();
    assertThat(directives.getConfigVersion()).isEqualTo(2);
    assertThat(directives.getComplete()).isTrue();
    assertThat(directives.getAcceptList()).containsExactly(Directive.accept(50.0 / 90));
  }

  @Test
  void aRaisedLimitLetsGoAtOnce() {
    region.rules(rules(2, rule("orders", Scope.REGION, 50, Map.of())));
    a.take();

    region.rules(rules(3, rule("orders", Scope.REGION, 90, Map.of())));

    assertThat(a.directive(ORDERS)).isEqualTo(Directive.NONE);
  }

  @Test
  void aRuleThatVanishesTakesItsDirectiveAway() {
    region.rules(rules(2, rule("orders", Scope.REGION, 50, Map.of())));
    a.take();

    region.rules(RuleSet.of(3, List.of()));

    assertThat(a.directive(ORDERS)).isEqualTo(Directive.NONE);
    region.runFor(2);
    assertThat(region.refused("unknown_rule")).isPositive();
    assertThat(region.status().buckets()).isEmpty();
  }

  @Test
  void aRuleThatAppearsFindsDemandThatWasReportedBefore() {
    region.rules(RuleSet.of(2, List.of()));
    region.runFor(2);
    a.take();

    region.rules(rules(3, rule("orders", Scope.REGION, 45, Map.of())));

    assertThat(a.accept(ORDERS)).isCloseTo(0.5, within(1e-6));
  }

  @Test
  void aChangedScopeCountsAnew() {
    TestAggregator b = region.aggregator("b", "eu-2", ORDERS, 30);
    region.runFor(2);

    region.rules(rules(2, rule("orders", Scope.ZONE, 60, Map.of())));

    assertThat(a.accept(ORDERS)).isCloseTo(60.0 / 90, within(1e-6));
    assertThat(b.directive(ORDERS)).isEqualTo(Directive.NONE);
  }

  @Test
  void aLimitForOneZoneTakesItOutOfTheRegion() {
    TestAggregator b = region.aggregator("b", "eu-2", ORDERS, 30);
    region.runFor(2);

    region.rules(rules(2, rule("orders", Scope.REGION, 100, Map.of("eu-1", 9.0))));

    assertThat(a.accept(ORDERS)).isCloseTo(0.1, within(1e-6));
    assertThat(b.directive(ORDERS)).isEqualTo(Directive.NONE);
  }

  @Test
  void shadowRulesGetDirectivesToo() {
    region.rules(rules(2, rule("orders", Scope.REGION, 45, Map.of(), Behavior.ALLOW)));

    assertThat(a.accept(ORDERS)).isCloseTo(0.5, within(1e-6));
    assertThat(region.status().buckets())
        .singleElement()
        .satisfies(bucket -> assertThat(bucket.behavior()).isEqualTo("allow"));
  }

  @Test
  void everyLaterDirectiveCarriesTheNewVersion() {
    region.rules(rules(9, rule("orders", Scope.REGION, 50, Map.of())));
    region.runFor(3);

    assertThat(a.takeDirectives()).hasSize(4).allMatch(d -> d.getConfigVersion() == 9);
  }

  @Test
  void problemsAloneAreShownAndNotSent() {
    FileProblem problem = new FileProblem("shop.yaml", 3, 5, "limit: 'x' (expected: 100/s)");
    region.controller.updateRules(
        rules(1, rule("orders", Scope.REGION, 100, Map.of())), List.of(problem));
    region.loop.run();

    assertThat(a.take()).isEmpty();
    assertThat(region.status().problems()).containsExactly(problem);
    assertThat(region.gauge("headgate.controller.rule.problems")).isEqualTo(1);
  }

  @Test
  void rulesReachAnAggregatorWhileTheControllerIsLearning() {
    TestRegion learning = new TestRegion();
    TestAggregator b = learning.stranger("b", 1, "eu-1").connect();
    assertThat(b.takeRules()).isEmpty();

    learning.rules(rules(1, rule("orders", Scope.REGION, 100, Map.of())));

    assertThat(b.takeRules()).hasSize(1);
  }
}
