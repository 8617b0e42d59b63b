package io.headgate.server.demo.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.core.rule.Behavior;
import io.headgate.core.rule.Location;
import io.headgate.core.rule.NamePattern;
import io.headgate.core.rule.Rate;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.Scope;
import io.headgate.core.rule.ServiceRules;
import io.headgate.server.demo.measure.DemoResult.CallerResult;
import io.headgate.server.demo.measure.DemoResult.DomainResult;
import io.headgate.server.demo.measure.DemoResult.RuleResult;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RuleResultsTest {

  private static final Origin CHECKOUT = new Origin("checkout", new Location("eu", "eu-1"));
  private static final Origin MOBILE = new Origin("mobile", new Location("us", "us-1"));
  private static final RuleName NAME = new RuleName("payments", "limit");

  @Test
  void addsUpCallersOverTheDomainsOfARule() {
    Rule rule = rule(Scope.REGION, Map.of("us", Rate.perSecond(50)));
    Interval interval =
        new Interval(
            2,
            Map.of(
                NAME,
                Map.of(MOBILE, new Counts(200, 100, 100, 0), CHECKOUT, new Counts(40, 40, 0, 0))));

    RuleResult result =
        RuleResults.of(new ServiceRules("payments", List.of(rule)), interval).get(0);

    assertThat(result)
        .isEqualTo(
            new RuleResult(
                "payments",
                "limit",
                "region",
                "deny",
                100,
                120,
                70,
                100.0 / 240,
                0,
                List.of(
                    new DomainResult("region:eu", 100, 20, 20, 0),
                    new DomainResult("region:us", 50, 100, 50, 0.5)),
                List.of(
                    new CallerResult("checkout", "eu-1", 20, 0),
                    new CallerResult("mobile", "us-1", 100, 0.5))));
  }

  @Test
  void aRuleWithoutCallsHasZeroRatios() {
    Rule rule = rule(Scope.GLOBAL, Map.of());
    RuleResult result =
        RuleResults.of(new ServiceRules("payments", List.of(rule)), new Interval(1, Map.of()))
            .get(0);
    assertThat(result.dropRatio()).isZero();
    assertThat(result.wouldDropRatio()).isZero();
    assertThat(result.callers()).isEmpty();
  }

  private static Rule rule(Scope scope, Map<String, Rate> limitsAt) {
    return new Rule(
        "limit",
        NamePattern.any(),
        NamePattern.any(),
        false,
        false,
        Rate.perSecond(100),
        limitsAt,
        scope,
        Behavior.DENY);
  }
}
