package io.headgate.server.demo.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimestampTest {

  @ParameterizedTest
  @CsvSource({
    "2023-11-16 18:17:03.9799600, 1700158623979960000",
    "2023-11-16T18:17:03, 1700158623000000000",
    "2023-11-16T18:17:03.5Z, 1700158623500000000",
    "2023-11-16T20:17:03+02:00, 1700158623000000000",
    "1700158623, 1700158623000000000",
    "1700158623.25, 1700158623250000000",
    "1700158623979, 1700158623979000000",
    "1700158623979.96, 1700158623979960000",
    "0, 0",
    "12.000000001, 12000000001",
  })
  void readsDatesAndNumbersOfSecondsOrMilliseconds(String text, long nanos) {
    assertThat(Timestamp.nanos(text)).isEqualTo(nanos);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "yesterday",
        "2023-11-16",
        "2023-13-16 00:00:00",
        "-5",
        "1e9",
        "NaN",
        "999999999999999999",
        "99999-01-01T00:00:00"
      })
  void saysWhatItExpectsWhereThereIsNoTime(String text) {
    assertThatThrownBy(() -> Timestamp.nanos(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("'" + text + "' (expected: a time such as 2023-11-16 18:17:03");
  }
}
