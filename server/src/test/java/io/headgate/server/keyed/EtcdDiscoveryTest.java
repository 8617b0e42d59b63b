package io.headgate.server.keyed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.fixtures.FreePorts;
import io.headgate.keyed.ring.discovery.PeerInfo;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real etcd, asked with the libraries of the whole program on the class path. */
@Tag("process")
class EtcdDiscoveryTest {

  @TempDir private Path directory;
  private String endpoint;
  private Process etcd;

  @BeforeEach
  void start() throws IOException {
    int port = FreePorts.next();
    endpoint = "127.0.0.1:" + port;
    String url = "http://" + endpoint;
    String peerUrl = "http://127.0.0.1:" + FreePorts.next();
    etcd =
        new ProcessBuilder(
                "etcd",
                "--name=test",
                "--data-dir=" + directory.resolve("data"),
                "--listen-client-urls=" + url,
                "--advertise-client-urls=" + url,
                "--listen-peer-urls=" + peerUrl,
                "--initial-advertise-peer-urls=" + peerUrl,
                "--initial-cluster=test=" + peerUrl)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile())
            .start();
    await()
        .atMost(Duration.ofSeconds(20))
        .ignoreExceptions()
        .until(
            () -> {
              try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress("127.0.0.1", port), 500);
                return true;
              }
            });
  }

  @AfterEach
  void end() throws InterruptedException {
    etcd.destroyForcibly();
    etcd.waitFor(10, TimeUnit.SECONDS);
  }

  @Test
  void nodesFindOneAnother() {
    PeerInfo a = new PeerInfo("a:1051", "", "eu");
    PeerInfo b = new PeerInfo("b:1051", "", "eu");
    AtomicReference<List<PeerInfo>> heardByA = new AtomicReference<>(List.of());
    try (var discoveryOfA = settings(a).discovery()) {
      discoveryOfA.start(heardByA::set);
      await().until(() -> heardByA.get().equals(List.of(a)));
      try (var discoveryOfB = settings(b).discovery()) {
        discoveryOfB.start(peers -> {});
        await().until(() -> heardByA.get().equals(List.of(a, b)));
      }
      await().until(() -> heardByA.get().equals(List.of(a)));
      assertThat(discoveryOfA.problem()).isEmpty();
    }
  }

  private DiscoverySettings settings(PeerInfo self) {
    return DiscoverySettings.read(
        new Variables(
            Map.of("GUBER_PEER_DISCOVERY_TYPE", "etcd", "GUBER_ETCD_ENDPOINTS", endpoint)),
        self);
  }
}
