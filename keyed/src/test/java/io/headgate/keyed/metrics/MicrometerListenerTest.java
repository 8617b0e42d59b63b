package io.headgate.keyed.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.core.limit.FixedWindow;
import io.headgate.keyed.Hit;
import io.headgate.keyed.NamedLimit;
import io.headgate.keyed.local.LocalKeyedLimiter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class MicrometerListenerTest {

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final LocalKeyedLimiter limiter =
      LocalKeyedLimiter.builder()
          .nanoClock(() -> 0)
          .listener(new MicrometerListener(registry))
          .build();

  private void ask(String name, boolean shadow, String key) {
    NamedLimit limit = NamedLimit.of(name, new FixedWindow(1, Duration.ofMinutes(1)));
    limiter.decide(List.of(Hit.of(shadow ? limit.inShadow() : limit, key)));
  }

  private double count(String limit, String outcome) {
    return registry
        .get("headgate.keyed.decisions")
        .tags("limit", limit, "outcome", outcome, "degraded", "false")
        .counter()
        .count();
  }

  @Test
  void countsDecisionsByLimitAndOutcome() {
    ask("transfers", false, "42");
    ask("transfers", false, "43");
    ask("transfers", false, "42");
    ask("tried", true, "42");
    ask("tried", true, "42");

    assertThat(count("transfers", "allowed")).isEqualTo(2);
    assertThat(count("transfers", "denied")).isEqualTo(1);
    assertThat(count("tried", "allowed")).isEqualTo(1);
    assertThat(count("tried", "shadow-denied")).isEqualTo(1);
  }

  @Test
  void namesBeyondAHundredCountTogether() {
    for (int name = 0; name < 150; name++) {
      ask("limit" + name, false, "42");
    }
    assertThat(count("limit99", "allowed")).isEqualTo(1);
    assertThat(count("other", "allowed")).isEqualTo(50);
    assertThat(registry.getMeters()).hasSize(101);
  }
}
