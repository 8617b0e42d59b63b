package io.headgate.control.aggregator;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.core.rule.RuleSet;
import io.headgate.protocol.RuleMessages;
import io.headgate.protocol.v1.Rules;
import io.headgate.protocol.v1.ZoneDirection;
import org.junit.jupiter.api.Test;

final class RuleRelayTest {

  private final AggregatorWorld world = AggregatorWorld.withRules();

  @Test
  void rulesOfTheServicesAskedForComeAtOnce() {
    FakeAgent agent = world.connect("a");
    agent.subscribe("payments", "desk");

    Rules rules = agent.takeRules().get(0);
    assertThat(rules.getConfigVersion()).isEqualTo(1);
    assertThat(rules.getDigest()).isEqualTo(Samples.payments(1).digest());
    assertThat(rules.getServiceList()).extracting(s -> s.getService()).containsExactly("payments");
    assertThat(rules.getService(0).getRuleCount()).isEqualTo(2);
    assertThat(rules.getAbsentServiceList()).containsExactly("desk");
  }

  @Test
  void moreServicesMayBeAskedForLater() {
    FakeAgent agent = world.connect("a");
    agent.subscribe("payments");
    agent.takeRules();
    agent.subscribe("payments", "desk");

    assertThat(agent.takeRules())
        .singleElement()
        .satisfies(
            rules -> {
              assertThat(rules.getServiceList()).isEmpty();
              assertThat(rules.getAbsentServiceList()).containsExactly("desk");
            });
  }

  @Test
  void rulesComeOnEveryChange() {
    FakeAgent agent = world.connect("a");
    agent.subscribe("payments");
    agent.takeRules();
    world.controller().rules(Samples.paymentsWithLimit(2, 500));

    Rules rules = agent.takeRules().get(0);
    assertThat(rules.getConfigVersion()).isEqualTo(2);
    assertThat(rules.getService(0).getRule(0).getLimitPerSecond()).isEqualTo(500);
  }

  @Test
  void equalRulesOfAnotherVersionAreNotSentAgain() {
    FakeAgent agent = world.connect("a");
    agent.subscribe("payments");
    agent.takeRules();
    world.controller().rules(Samples.payments(7));

    assertThat(agent.takeRules()).isEmpty();
    assertThat(world.status().configVersion()).isEqualTo(7);
  }

  @Test
  void noRulesAreSentBeforeThereAreAny() {
    AggregatorWorld cold = new AggregatorWorld();
    FakeAgent agent = cold.connect("a");
    agent.subscribe("payments");
    cold.interval();
    assertThat(agent.takeRules()).isEmpty();
    assertThat(cold.aggregator.isReady()).isFalse();

    cold.controller().join(Samples.payments(3));
    assertThat(agent.takeRules()).singleElement().extracting(Rules::getConfigVersion).isEqualTo(3L);
    assertThat(cold.aggregator.isReady()).isTrue();
  }

  @Test
  void rulesWaitForASlowLinkAndAreTheLatestThen() {
    FakeAgent agent = world.connect("a");
    agent.linkReady(false);
    agent.subscribe("payments");
    world.controller().rules(Samples.paymentsWithLimit(2, 500));
    world.controller().rules(Samples.paymentsWithLimit(3, 400));
    assertThat(agent.takeRules()).isEmpty();

    agent.linkReady(true);
    assertThat(agent.takeRules()).singleElement().extracting(Rules::getConfigVersion).isEqualTo(3L);
  }

  @Test
  void rulesThatMakeNoSenseAreRefusedAndThoseBeforeStay() {
    RuleSet sound = Samples.payments(2);
    var broken = RuleMessages.all(sound).toBuilder();
    broken.getServiceBuilder(0).getRuleBuilder(0).setLimitPerSecond(Double.NaN);
    world.controller().send(ZoneDirection.newBuilder().setRules(broken).build());

    assertThat(world.status().configVersion()).isEqualTo(1);
    assertThat(world.count("headgate.aggregator.controller.refused", "reason", "bad_message"))
        .isEqualTo(1);
  }
}
