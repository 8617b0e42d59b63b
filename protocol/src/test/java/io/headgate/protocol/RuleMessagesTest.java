package io.headgate.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.core.rule.Behavior;
import io.headgate.core.rule.NamePattern;
import io.headgate.core.rule.Rate;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.RuleOptions;
import io.headgate.core.rule.RuleSet;
import io.headgate.core.rule.Sampler;
import io.headgate.core.rule.Scope;
import io.headgate.core.rule.ServiceRules;
import io.headgate.core.rule.WhenCutOff;
import io.headgate.protocol.v1.Rules;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RuleMessagesTest {

  private static final ServiceRules PAYMENTS =
      new ServiceRules(
          "payments",
          List.of(
              new Rule(
                  "charge",
                  NamePattern.of("checkout"),
                  NamePattern.of("payments.v1.Payments/*"),
                  true,
                  true,
                  Rate.perSecond(5000),
                  Map.of("eu-west", Rate.perSecond(400), "eu-west-1", Rate.perSecond(0.5)),
                  Scope.REGION,
                  Behavior.ALLOW,
                  new RuleOptions(0, Sampler.STRATIFIED, WhenCutOff.OPEN, 2.5)),
              new Rule(
                  "all",
                  NamePattern.any(),
                  NamePattern.any(),
                  false,
                  false,
                  Rate.perSecond(0),
                  Map.of(),
                  Scope.GLOBAL,
                  Behavior.DENY)));

  @Test
  void rulesArriveAsTheyWereSent() {
    Rules message = RuleMessages.all(RuleSet.of(7, List.of(PAYMENTS)));

    assertThat(message.getConfigVersion()).isEqualTo(7);
    assertThat(RuleMessages.services(message)).containsExactly(PAYMENTS);
  }

  @Test
  void servicesWithoutRulesAreNamedAsAbsent() {
    Rules message =
        RuleMessages.some(RuleSet.of(7, List.of(PAYMENTS)), List.of("payments", "other"));

    assertThat(message.getServiceList()).hasSize(1);
    assertThat(message.getAbsentServiceList()).containsExactly("other");
  }

  @Test
  void optionsThatAreAsUsualTakeNoRoom() {
    io.headgate.protocol.v1.Rule all =
        RuleMessages.all(RuleSet.of(7, List.of(PAYMENTS))).getService(0).getRule(1);

    assertThat(all.getName()).isEqualTo("all");
    assertThat(all.hasCriticality()).isFalse();
    assertThat(all.getSamplerValue()).isZero();
    assertThat(all.getWhenCutOffValue()).isZero();
    assertThat(all.getSurgeGuard()).isZero();
  }

  @Test
  void aRuleThatMakesNoSenseIsNamed() {
    Rules message =
        Rules.newBuilder()
            .addService(
                io.headgate.protocol.v1.ServiceRules.newBuilder()
                    .setService("payments")
                    .addRule(
                        io.headgate.protocol.v1.Rule.newBuilder()
                            .setName("charge")
                            .setLimitPerSecond(-1)))
            .build();

    assertThatThrownBy(() -> RuleMessages.services(message))
        .hasMessage("service 'payments', rule 'charge': rate: -1.0 (expected: 0 to 1e12 a second)");
  }
}
