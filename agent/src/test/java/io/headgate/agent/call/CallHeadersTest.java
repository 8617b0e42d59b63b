package io.headgate.agent.call;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class CallHeadersTest {

  @ParameterizedTest
  @CsvSource({"0, 0", "3, 3", "5, 5", "05, 5"})
  void readsACriticality(String header, int criticality) {
    assertThat(CallHeaders.criticality(header)).isEqualTo(criticality);
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", "6", "-1", "+1", " 1", "1.0", "high", "99999999999999999999", "٣"})
  void takesAnythingElseForNoCriticality(String header) {
    assertThat(CallHeaders.criticality(header)).isEqualTo(-1);
  }

  @ParameterizedTest
  @CsvSource({
    ",, false",
    "0,, false",
    "1,, true",
    "4,, true",
    ", 1, false",
    ", 2, true",
    "0, 2, true",
    "x, -2, false",
  })
  void knowsARetryByEitherHeader(String grpcPreviousAttempts, String envoyAttempt, boolean retry) {
    assertThat(CallHeaders.isRetry(grpcPreviousAttempts, envoyAttempt)).isEqualTo(retry);
  }

  @Test
  void doesNotOverflowOnLongNumbers() {
    assertThat(CallHeaders.isRetry("4294967296", "18446744073709551618")).isFalse();
  }
}
