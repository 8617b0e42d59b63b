package io.headgate.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DurationConverterTest {

  private final DurationConverter converter = new DurationConverter();

  @Test
  void readsEachUnit() {
    assertThat(converter.convert("250ms")).isEqualTo(Duration.ofMillis(250));
    assertThat(converter.convert("5s")).isEqualTo(Duration.ofSeconds(5));
    assertThat(converter.convert("2m")).isEqualTo(Duration.ofMinutes(2));
    assertThat(converter.convert("1h")).isEqualTo(Duration.ofHours(1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "s", "1.5s", "-1s", "5 s", "5S", "5d", "9999999999s"})
  void refusesWhatIsNone(String text) {
    assertThatThrownBy(() -> converter.convert(text))
        .hasMessage(
            "'" + text + "' (expected: a whole number with a unit ms, s, m or h, such as 500ms)");
  }
}
