package io.headgate.core.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BucketKeyTest {

  @ParameterizedTest
  @CsvSource({
    "false, false, '', ''",
    "true, false, checkout, ''",
    "false, true, '', Pay/Charge",
    "true, true, checkout, Pay/Charge",
  })
  void namesOnlyWhatTheRuleCountsApart(
      boolean perCaller, boolean perProcedure, String caller, String procedure) {
    Rule rule =
        new Rule(
            "r",
            NamePattern.any(),
            NamePattern.any(),
            perCaller,
            perProcedure,
            Rate.perSecond(1),
            Map.of(),
            Scope.GLOBAL,
            Behavior.DENY);

    assertThat(BucketKey.of("payments", rule, "checkout", "Pay/Charge"))
        .isEqualTo(new BucketKey("payments", "r", caller, procedure));
  }
}
