package io.headgate.keyed.ring.discovery.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NameServersTest {

  @TempDir private Path directory;

  @Test
  void areTheNameserverLines() throws IOException {
    Path file =
        write(
            "# made\nsearch example.com\nnameserver 10.0.0.1\n\nnameserver\t::1 # v6\noptions x\n");
    assertThat(NameServers.read(file))
        .containsExactly(new InetSocketAddress("10.0.0.1", 53), new InetSocketAddress("::1", 53));
  }

  @Test
  void mayHaveAPort() throws IOException {
    assertThat(NameServers.read(write("nameserver [127.0.0.1]:5353\nnameserver [::1]:5354")))
        .containsExactly(
            new InetSocketAddress("127.0.0.1", 5353), new InetSocketAddress("::1", 5354));
  }

  @Test
  void areAddressesAndAtLeastOne() throws IOException {
    Path file = write("search x\nnameserver ns.example.com");
    assertThatThrownBy(() -> NameServers.read(file))
        .hasMessage(file + ":2: 'ns.example.com' (expected: an IP address)");
    write("nameserver [127.0.0.1]:99999");
    assertThatThrownBy(() -> NameServers.read(file))
        .hasMessage(file + ":1: '[127.0.0.1]:99999' (expected: an IP address)");
    write("search x");
    assertThatThrownBy(() -> NameServers.read(file))
        .hasMessage(file + ": no server (expected: a line 'nameserver ADDRESS')");
    Files.delete(file);
    assertThatThrownBy(() -> NameServers.read(file))
        .hasMessage(file + ": no such file (expected: a resolver configuration)");
  }

  private Path write(String text) throws IOException {
    return Files.writeString(directory.resolve("resolv.conf"), text);
  }
}
