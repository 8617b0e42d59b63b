package io.headgate.configurator.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BackOffTest {

  private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");

  private final BackOff backOff = new BackOff(Duration.ofSeconds(10), Duration.ofMinutes(10));

  @Test
  void pausesDoubleUpToABound() {
    List<Long> seconds = new ArrayList<>();
    for (int failure = 0; failure < 9; failure++) {
      seconds.add(backOff.failed(NOW, "a").toSeconds());
    }
    assertThat(seconds).containsExactly(10L, 20L, 40L, 80L, 160L, 320L, 600L, 600L, 600L);
    for (int failure = 0; failure < 100; failure++) {
      assertThat(backOff.failed(NOW, "a")).isEqualTo(Duration.ofMinutes(10));
    }
  }

  @Test
  void aPauseIsOverInTimeOrOnceItIsAboutSomethingElse() {
    backOff.failed(NOW, "a");
    assertThat(backOff.isOver(NOW.plusSeconds(9), "a")).isFalse();
    assertThat(backOff.isOver(NOW.plusSeconds(9), "b")).isTrue();
    assertThat(backOff.isOver(NOW.plusSeconds(10), "a")).isTrue();
  }

  @Test
  void afterASuccessItBeginsAnew() {
    backOff.failed(NOW, "a");
    backOff.failed(NOW, "a");
    backOff.succeeded();
    assertThat(backOff.isOver(NOW, "a")).isTrue();
    assertThat(backOff.failed(NOW, "a")).isEqualTo(Duration.ofSeconds(10));
    assertThat(backOff.failures()).isEqualTo(1);
  }
}
