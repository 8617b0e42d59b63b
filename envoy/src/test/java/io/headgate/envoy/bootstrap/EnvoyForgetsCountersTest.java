package io.headgate.envoy.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.envoy.process.EnvoyBinary;
import io.headgate.envoy.process.EnvoyProcess;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Callers and procedures that are gone must not fill the memory of an Envoy. */
@Tag("process")
class EnvoyForgetsCountersTest {

  @Test
  void countersOfWhoIsGoneAreForgotten() {
    try (EnvoyProcess oldest = withHundredCounters(EnvoyBinary.OLDEST);
        EnvoyProcess newest = withHundredCounters(EnvoyBinary.NEWEST)) {
      Awaitility.await()
          .atMost(Duration.ofSeconds(15))
          .until(() -> counters(oldest) + counters(newest) == 0);
    }
  }

  @Test
  void thereAreNoMoreCountersThanTheirBound() {
    try (EnvoyProcess envoy =
            BareEnvoy.start(
                EnvoyBinary.of(EnvoyBinary.NEWEST),
                1,
                builder -> builder.envoyMinor(40),
                yaml -> yaml.replace("max_counters: 100000", "max_counters: 50"));
        RawHttp http = new RawHttp(envoy.listener("ingress"))) {
      for (int i = 0; i < 100; i++) {
        http.send("GET", "/" + i);
      }
      assertThat(counters(envoy)).isEqualTo(50);
    }
  }

  private static EnvoyProcess withHundredCounters(String version) {
    EnvoyProcess envoy =
        BareEnvoy.start(
            EnvoyBinary.of(version),
            1,
            builder -> builder.flush(Duration.ofMillis(250)),
            yaml -> yaml.replace("stats_eviction_interval: 60s", "stats_eviction_interval: 1s"));
    try (RawHttp http = new RawHttp(envoy.listener("ingress"))) {
      for (int i = 0; i < 100; i++) {
        http.send("GET", "/" + i);
      }
    }
    assertThat(counters(envoy)).isEqualTo(100);
    return envoy;
  }

  private static long counters(EnvoyProcess envoy) {
    return envoy.get("/stats?filter=headgate.rq").lines().count();
  }
}
