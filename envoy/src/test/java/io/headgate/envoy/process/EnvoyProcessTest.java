package io.headgate.envoy.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.Socket;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("process")
class EnvoyProcessTest {

  private static final Duration START = Duration.ofSeconds(20);

  private static final String SMALL =
      """
      admin: { address: { socket_address: { address: 127.0.0.1, port_value: 0 } } }
      static_resources:
        listeners:
          - name: echo
            address: { socket_address: { address: 127.0.0.1, port_value: 0 } }
            filter_chains:
              - filters:
                  - name: echo
                    typed_config:
                      "@type": type.googleapis.com/envoy.extensions.filters.network.echo.v3.Echo
      """;

  @ParameterizedTest
  @ValueSource(strings = {EnvoyBinary.OLDEST, EnvoyBinary.NEWEST})
  void tellsWhereItListensAndEndsWhenClosed(String version) throws Exception {
    EnvoyBinary binary = EnvoyBinary.of(version);
    long pid;
    try (EnvoyProcess envoy = EnvoyProcess.start(binary, SMALL, 1).awaitLive(START)) {
      pid = envoy.pid();
      try (Socket socket = new Socket("127.0.0.1", envoy.listener("echo").getPort())) {
        socket.getOutputStream().write(7);
        assertThat(socket.getInputStream().read()).isEqualTo(7);
      }
      assertThat(envoy.stat("server.live")).isEqualTo(1);
      assertThat(envoy.get("/server_info")).contains("/" + version + "/");
      assertThat(envoy.residentBytes()).isGreaterThan(1 << 20);
    }
    assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
  }

  @Test
  void standsStillWhileSuspended() {
    try (EnvoyProcess envoy =
        EnvoyProcess.start(EnvoyBinary.of(EnvoyBinary.NEWEST), SMALL, 1).awaitLive(START)) {
      envoy.suspend();
      Duration before = envoy.processorTime();
      assertThat(envoy.isAlive()).isTrue();
      envoy.resume();
      Awaitility.await().atMost(START).until(envoy::isLive);
      assertThat(envoy.processorTime()).isGreaterThanOrEqualTo(before);
    }
  }

  @Test
  void saysWhyItDoesNotStart() {
    String wrong = SMALL.replace("listeners", "listenners");

    assertThat(EnvoyBinary.of(EnvoyBinary.NEWEST).validate(wrong))
        .hasValueSatisfying(message -> assertThat(message).contains("listenners"));
    try (EnvoyProcess envoy = EnvoyProcess.start(EnvoyBinary.of(EnvoyBinary.NEWEST), wrong, 1)) {
      assertThatThrownBy(() -> envoy.awaitLive(START))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("listenners");
    }
  }

  @Test
  void saysHowToGetAMissingVersion() {
    assertThatThrownBy(() -> EnvoyBinary.of("1.2.3"))
        .hasMessage(
            "envoy: not found in .headgate/envoy or on the path (expected: 1.2.3; install it with:"
                + " tools/install-envoy 1.2.3)");
  }
}
