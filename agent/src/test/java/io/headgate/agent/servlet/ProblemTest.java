package io.headgate.agent.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.agent.Verdict;
import io.headgate.core.rule.Rate;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProblemTest {

  @Test
  void isAJsonProblem() {
    assertThat(problem("payments", "each-caller"))
        .isEqualTo(
            "{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
                + "\"title\":\"Rate limit exceeded\",\"status\":429,"
                + "\"detail\":\"Calls are above the limit of 200/s that rule 'each-caller' of"
                + " service 'payments' sets.\","
                + "\"violated-policies\":[\"each-caller\"],"
                + "\"service\":\"payments\",\"rule\":\"each-caller\",\"retryAfterSeconds\":2}");
  }

  @Test
  void escapesWhatJsonCannotHold() {
    assertThat(problem("pay\"ments\\", "line\nbreak"))
        .contains("\"service\":\"pay\\\"ments\\\\\"", "\"rule\":\"line\\u000abreak\"");
  }

  @Test
  void isUtf8ForEveryName() {
    String problem = problem("caf\u00e9", "\ud83d\ude00 \ud83d");

    assertThat(problem)
        .contains("\"service\":\"caf\u00e9\"", "\"rule\":\"\\ud83d\\ude00 \\ud83d\"");
    assertThat(new String(problem.getBytes(UTF_8), UTF_8)).isEqualTo(problem);
  }

  private static String problem(String service, String rule) {
    return Problem.json(
        new Verdict(false, service, rule, Rate.perSecond(200), Duration.ofSeconds(2)), 2);
  }
}
