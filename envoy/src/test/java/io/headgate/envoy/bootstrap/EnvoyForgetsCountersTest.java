package io.headgate.envoy.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.envoy.process.EnvoyBinary;
import io.headgate.envoy.process.EnvoyProcess;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers and procedures that are gone must not fill the memory of an Envoy. */
@Tag("process")
class EnvoyForgetsCountersTest {

  @ParameterizedTest
  @ValueSource(strings = {EnvoyBinary.OLDEST, EnvoyBinary.NEWEST})
  void countersOfWhoIsGoneAreForgotten(String version) {
    EnvoyBinary binary = EnvoyBinary.of(version);
    String yaml =
        EnvoyBootstrap.builder("payments", "eu-1", localhost(1))
            .listen(localhost(0))
            .admin(localhost(0))
            .headgate(localhost(1))
            .flush(Duration.ofMillis(250))
            .envoyMinor(binary.minor())
            .build()
            .toYaml()
            .replace("stats_eviction_interval: 60s", "stats_eviction_interval: 1s")
            .replace(
                "static_layer: {}",
                "static_layer: { \"fault.http.service|payments.abort.abort_percent\": 100 }");
    try (EnvoyProcess envoy =
        EnvoyProcess.start(binary, yaml, 1).awaitLive(Duration.ofSeconds(20))) {
      try (RawHttp http = new RawHttp(envoy.listener("ingress"))) {
        for (int i = 0; i < 100; i++) {
          http.send("GET", "/" + i);
        }
      }
      assertThat(counters(envoy)).isPositive();
      Awaitility.await().atMost(Duration.ofSeconds(15)).until(() -> counters(envoy) == 0);
    }
  }

  private static long counters(EnvoyProcess envoy) {
    return envoy.get("/stats?filter=headgate.(rq%7Cdrop)").lines().count();
  }

  private static InetSocketAddress localhost(int port) {
    return InetSocketAddress.createUnresolved("127.0.0.1", port);
  }
}
