package io.headgate.keyed.ring.discovery.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.headgate.fixtures.FreePorts;
import io.headgate.keyed.ring.discovery.Heard;
import io.headgate.keyed.ring.discovery.PeerInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Against a real name server. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class DnsPeersTest {

  private final Heard heard = new Heard();
  @TempDir private Path directory;
  private DnsServer server;
  private DnsPeers peers;

  @AfterEach
  void end() {
    if (peers != null) {
      peers.close();
    }
    if (server != null) {
      server.close();
    }
  }

  @Test
  void areTheAddressesOfANameOfBothFamilies() throws IOException {
    start("10.0.0.2 peers.test\n10.0.0.1 peers.test\nfd00::1 peers.test\n", false, "peers.test");
    await().until(() -> heard.lists().size() == 1);
    assertThat(heard.latest())
        .containsExactly(
            PeerInfo.of("10.0.0.1:1051"),
            PeerInfo.of("10.0.0.2:1051"),
            PeerInfo.of("[fd00::1]:1051"));
    assertThat(peers.problem()).isEmpty();
  }

  @Test
  void areOfOneDataCenterUnlessNamesAreDataCenters() throws IOException {
    start(
        "10.0.0.1 east.test\n10.0.1.1 west.test\n10.0.1.2 west.test\n",
        true,
        "east.test",
        "west.test.");
    await().until(() -> heard.lists().size() == 1);
    assertThat(heard.latest())
        .containsExactly(
            new PeerInfo("10.0.0.1:1051", "", "east.test."),
            new PeerInfo("10.0.1.1:1051", "", "west.test."),
            new PeerInfo("10.0.1.2:1051", "", "west.test."));
  }

  @Test
  void joinAndLeaveWhenTheirRecordsTimeIsOver() throws Exception {
    start("10.0.0.1 peers.test\n", false, "peers.test");
    await().until(() -> heard.addresses().equals(List.of("10.0.0.1:1051")));
    server.hosts("10.0.0.1 peers.test\n10.0.0.2 peers.test\n");
    await().until(() -> heard.addresses().equals(List.of("10.0.0.1:1051", "10.0.0.2:1051")));
    server.hosts("10.0.0.2 peers.test\n");
    await().until(() -> heard.addresses().equals(List.of("10.0.0.2:1051")));
  }

  @Test
  void stayWhenTheNameIsGoneOrTheServerIs() throws Exception {
    start("10.0.0.1 one.test\n10.0.0.2 two.test\n", false, "one.test", "two.test");
    await().until(() -> heard.addresses().equals(List.of("10.0.0.1:1051", "10.0.0.2:1051")));
    server.hosts("10.0.0.1 one.test\n");
    String from = " from 127.0.0.1:" + server.port();
    await()
        .untilAsserted(
            () ->
                assertThat(peers.problem())
                    .isEqualTo("peers by DNS: two.test.: no such name" + from));
    server.kill();
    await()
        .untilAsserted(
            () ->
                assertThat(peers.problem())
                    .startsWith("peers by DNS: one.test.: no answer in 500 ms" + from + "; two."));
    assertThat(heard.lists()).hasSize(1);
  }

  @Test
  void areFoundOnceTheNameIsThere() throws Exception {
    start("10.0.0.1 other.test\n", false, "peers.test");
    await().until(() -> peers.problem().startsWith("peers by DNS: peers.test.: no such name"));
    assertThat(heard.lists()).isEmpty();
    server.hosts("10.0.0.1 peers.test\n");
    await().until(() -> heard.addresses().equals(List.of("10.0.0.1:1051")));
    await().until(() -> peers.problem().isEmpty());
  }

  /** Such an answer does not fit into one datagram. */
  @Test
  void mayBeMany() throws IOException {
    List<String> all =
        IntStream.range(0, 500).mapToObj(i -> "10.0." + i / 250 + "." + (1 + i % 250)).toList();
    start(
        all.stream().map(a -> a + " peers.test\n").collect(Collectors.joining()),
        false,
        "peers.test");
    await().until(() -> heard.lists().size() == 1);
    assertThat(heard.addresses())
        .containsExactlyInAnyOrderElementsOf(all.stream().map(a -> a + ":1051").toList());
  }

  @Test
  void needAResolverConfiguration() {
    Path missing = directory.resolve("missing");
    peers = peers(false, missing, "peers.test");
    peers.start(heard);
    await()
        .untilAsserted(
            () ->
                assertThat(peers.problem())
                    .isEqualTo(
                        "peers by DNS: "
                            + missing
                            + ": no such file (expected: a resolver configuration)"));
  }

  @Test
  void areFoundByTheSecondServerIfTheFirstIsDead() throws IOException {
    start("10.0.0.1 peers.test\n", false, "peers.test");
    peers.close();
    Path both = directory.resolve("both");
    Files.writeString(
        both,
        "nameserver [127.0.0.1]:"
            + FreePorts.next()
            + "\nnameserver [127.0.0.1]:"
            + server.port()
            + "\n");
    Heard second = new Heard();
    peers = peers(false, both, "peers.test");
    peers.start(second);
    await().until(() -> second.addresses().equals(List.of("10.0.0.1:1051")));
  }

  @Test
  void areAskedForAgainAfterTheirTimeToLiveWithinBounds() {
    assertThat(DnsPeers.delay(0)).isEqualTo(Duration.ofSeconds(1));
    assertThat(DnsPeers.delay(17)).isEqualTo(Duration.ofSeconds(17));
    assertThat(DnsPeers.delay(86_400)).isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void haveNames() {
    assertThat(DnsPeers.absolute("peers.test")).isEqualTo("peers.test.");
    assertThat(DnsPeers.absolute("peers.test.")).isEqualTo("peers.test.");
    for (String bad : List.of("", ".", "a b", "a..b", "x".repeat(64) + ".test")) {
      assertThatThrownBy(() -> DnsPeers.absolute(bad))
          .as(bad)
          .hasMessage(
              "DNS name of peers: '" + bad + "' (expected: a name such as peers.example.com)");
    }
    assertThatThrownBy(() -> DnsPeers.of(List.of(), 1051, false, Path.of("x")))
        .hasMessage("DNS names of peers: none (expected: at least one)");
  }

  private void start(String hosts, boolean namesAreDataCenters, String... names)
      throws IOException {
    server = DnsServer.start(directory, hosts);
    peers = peers(namesAreDataCenters, server.configuration(), names);
    peers.start(heard);
  }

  /** Less patient than in production. */
  private static DnsPeers peers(boolean namesAreDataCenters, Path configuration, String... names) {
    return new DnsPeers(
        List.of(names),
        1051,
        namesAreDataCenters,
        configuration,
        Duration.ofMillis(500),
        Duration.ofMillis(100));
  }
}
