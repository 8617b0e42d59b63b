package io.headgate.agent.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.agent.Verdict;
import io.headgate.core.rule.Rate;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateLimitFieldsTest {

  @ParameterizedTest
  @CsvSource({
    "200/s, q=200;w=1",
    "5k/s, q=5000;w=1",
    "30/min, q=30;w=60",
    "2.5/s, q=150;w=60",
    "100/min, q=100;w=60",
    "7/h, q=7;w=3600",
    "0.5/h, q=1;w=7200",
    "0.3/h, q=1;w=12000",
    "0/s, q=0;w=1",
    "1.00001/s, q=3600;w=3600",
    "1000000M/s, q=1000000000000;w=1",
    "3.14159265/s, q=11309;w=3600",
    "0.0000000000000000001/h, q=1;w=999999999999999",
  })
  void tellsALimitAsAWholeNumberInAWindow(String limit, String quota) {
    assertThat(fields("r", limit, Duration.ofSeconds(1)).policy()).isEqualTo("\"r\";" + quota);
  }

  @ParameterizedTest
  @CsvSource({"PT0S, 1", "PT0.000000001S, 1", "PT1S, 1", "PT1.001S, 2", "PT90S, 90"})
  void roundsTheWaitUp(Duration retryAfter, long seconds) {
    RateLimitFields fields = fields("r", "1/s", retryAfter);

    assertThat(fields.retryAfterSeconds()).isEqualTo(seconds);
    assertThat(fields.remaining()).isEqualTo("\"r\";r=0;t=" + seconds);
  }

  @Test
  void writesNamesAsStructuredStrings() {
    assertThat(fields("a \"b\" \\c\ncaf\u00e9", "1/s", Duration.ofSeconds(1)).remaining())
        .isEqualTo("\"a \\\"b\\\" \\\\c?caf?\";r=0;t=1");
  }

  private static RateLimitFields fields(String rule, String limit, Duration retryAfter) {
    return RateLimitFields.of(new Verdict(false, "payments", rule, Rate.parse(limit), retryAfter));
  }
}
