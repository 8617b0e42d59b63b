package io.headgate.server.demo.screen;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.core.rule.Behavior;
import io.headgate.core.rule.Location;
import io.headgate.core.rule.NamePattern;
import io.headgate.core.rule.Rate;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.Scope;
import io.headgate.core.rule.ServiceRules;
import io.headgate.server.demo.measure.Counts;
import io.headgate.server.demo.measure.Interval;
import io.headgate.server.demo.measure.Origin;
import io.headgate.server.demo.measure.RuleName;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RuleTableTest {

  private static final Location EU = new Location("eu-west", "eu-west-1");
  private static final Location US = new Location("us-east", "us-east-1");

  private final RuleTable table = new RuleTable(List.of(EU, EU, US));
  private final ServiceRules rules =
      new ServiceRules(
          "payments",
          List.of(
              rule("all", false, Scope.GLOBAL, Behavior.DENY),
              rule("each", true, Scope.GLOBAL, Behavior.ALLOW),
              rule("here", false, Scope.ZONE, Behavior.DENY)));
  private final Interval interval =
      new Interval(
          1,
          Map.of(
              new RuleName("payments", "all"),
              Map.of(
                  new Origin("a", EU), new Counts(2000, 1340, 660, 0),
                  new Origin("b", US), new Counts(1000, 670, 330, 0)),
              new RuleName("payments", "each"),
              Map.of(new Origin("a", EU), new Counts(40, 40, 0, 10))));

  @Test
  void hasALineForEachDomainAndItsZones() {
    assertThat(String.join("\n", table.lines(rules, interval, true)))
        .isEqualTo(
            """
            RULE  WHERE           LIMIT/S  OFFERED/S  ADMITTED/S  DROP %  WOULD %
            here  eu-west-1         2,000        0.0         0.0     0.0
                  us-east-1         2,000        0.0         0.0     0.0
            each  global       2,000 each       40.0        40.0     0.0     25.0
                    eu-west-1                   40.0        40.0     0.0     25.0
                    us-east-1                    0.0         0.0     0.0
            all   global            2,000      3,000       2,010    33.0
                    eu-west-1                  2,000       1,340    33.0
                    us-east-1                  1,000         670    33.0""");
  }

  @Test
  void leavesZonesOfWiderLimitsOutWhereThereIsNoRoom() {
    assertThat(table.lines(rules, interval, false))
        .hasSize(5)
        .noneMatch(line -> line.startsWith("        eu-west-1"));
  }

  private static Rule rule(String name, boolean perCaller, Scope scope, Behavior behavior) {
    return new Rule(
        name,
        NamePattern.any(),
        NamePattern.any(),
        perCaller,
        false,
        Rate.perSecond(2_000),
        Map.of(),
        scope,
        behavior);
  }
}
