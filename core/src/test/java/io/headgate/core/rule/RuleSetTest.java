package io.headgate.core.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RuleSetTest {

  @Test
  void hasTheSameDigestForEqualRulesWhateverTheirOrderAndVersion() {
    ServiceRules payments = new ServiceRules("payments", List.of(rule("a", 5), rule("b", 5)));
    ServiceRules shipping = new ServiceRules("shipping", List.of());

    RuleSet one = RuleSet.of(1, List.of(payments, shipping));
    RuleSet other =
        RuleSet.of(
            2,
            List.of(shipping, new ServiceRules("payments", List.of(rule("b", 5), rule("a", 5)))));

    assertThat(one.digest()).hasSize(32).isEqualTo(other.digest());
    assertThat(one.withVersion(2)).isEqualTo(other);
  }

  @Test
  void hasAnotherDigestForAnotherLimit() {
    assertThat(set(rule("a", 5)).digest())
        .isNotEqualTo(set(rule("a", 5.000000000000001)).digest())
        .isNotEqualTo(RuleSet.NONE.digest());
  }

  @Test
  void hasAnotherDigestForOtherOptions() {
    Rule rule = rule("a", 5);
    Rule guarded = rule.withOptions(RuleOptions.DEFAULT.withSurgeGuard(2));

    assertThat(set(guarded).digest()).isNotEqualTo(set(rule).digest());
  }

  @Test
  void hasTheDigestOfReleasesWithoutOptionsForRulesWithout() {
    assertThat(rule("a", 5))
        .hasToString(
            "a{caller=*, procedure=*, perCaller=false, perProcedure=false, limit=5.0, limits={},"
                + " scope=global, behavior=deny}");
  }

  @Test
  void findsRulesByServiceAndName() {
    Rule rule = rule("a", 5);

    assertThat(set(rule).rule("payments", "a")).isSameAs(rule);
    assertThat(set(rule).rule("payments", "b")).isNull();
    assertThat(set(rule).rule("shipping", "a")).isNull();
  }

  @Test
  void refusesAServiceThatIsThereTwice() {
    ServiceRules payments = new ServiceRules("payments", List.of());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> RuleSet.of(1, List.of(payments, payments)))
        .withMessage("service: 'payments' is there twice");
  }

  private static RuleSet set(Rule rule) {
    return RuleSet.of(1, List.of(new ServiceRules("payments", List.of(rule))));
  }

  private static Rule rule(String name, double limitPerSecond) {
    return new Rule(
        name,
        NamePattern.any(),
        NamePattern.any(),
        false,
        false,
        Rate.perSecond(limitPerSecond),
        Map.of(),
        Scope.GLOBAL,
        Behavior.DENY);
  }
}
