package io.headgate.server.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostPortTest {

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1:7070", "[::1]:7070", "ctl-1.example:65535", "localhost:0"})
  void isWrittenAsItIsRead(String text) {
    assertThat(HostPort.parse(text)).hasToString(text);
  }

  @Test
  void anIpv6AddressLosesItsBrackets() {
    assertThat(HostPort.parse("[2001:db8::7]:80")).isEqualTo(new HostPort("2001:db8::7", 80));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "7070", ":7070", "host", "host:", "host:x", "::1:70", "http://h:1"})
  void otherFormsAreRefused(String text) {
    assertThatThrownBy(() -> HostPort.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'" + text + "' (expected: host:port, such as 127.0.0.1:7070 or [::1]:7070)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"host:65536", "host:-1"})
  void aPortHasARange(String text) {
    assertThatThrownBy(() -> HostPort.parse(text)).hasMessageEndingWith("(expected: 0 to 65535)");
  }

  @Test
  void onlyLoopbackIsThisMachineAlone() {
    assertThat(HostPort.parse("127.0.0.1:1").isLoopback()).isTrue();
    assertThat(HostPort.parse("127.8.8.8:1").isLoopback()).isTrue();
    assertThat(HostPort.parse("[::1]:1").isLoopback()).isTrue();
    assertThat(HostPort.parse("0.0.0.0:1").isLoopback()).isFalse();
    assertThat(HostPort.parse("[::]:1").isLoopback()).isFalse();
    assertThat(HostPort.parse("192.0.2.1:1").isLoopback()).isFalse();
    assertThat(HostPort.parse("no-such-host.invalid:1").isLoopback()).isFalse();
  }
}
