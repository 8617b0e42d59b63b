package io.headgate.configurator.trigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CronScheduleTest {

  /** The 30th of November 2026 is a Monday. */
  @ParameterizedTest
  @CsvSource({
    "30 2 * * *, 2026-11-30T02:29:59Z, 2026-11-30T02:30:00Z",
    "30 2 * * *, 2026-11-30T02:30:00Z, 2026-12-01T02:30:00Z",
    "*/15 * * * *, 2026-11-30T23:50:00Z, 2026-12-01T00:00:00Z",
    "0 4 * * 1, 2026-11-30T04:00:00Z, 2026-12-07T04:00:00Z",
    "0 0 29 2 *, 2026-11-30T00:00:00Z, 2028-02-29T00:00:00Z",
  })
  void theNextMomentIsInUtc(String expression, Instant after, Instant next) {
    assertThat(CronSchedule.parse(expression).next(after)).isEqualTo(next);
  }

  @Test
  void whatIsNoExpressionOrNeverComesIsRefused() {
    assertThatThrownBy(() -> CronSchedule.parse("nightly"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> CronSchedule.parse("0 0 30 2 *"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
