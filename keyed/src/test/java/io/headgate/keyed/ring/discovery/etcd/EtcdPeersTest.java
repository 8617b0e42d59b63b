package io.headgate.keyed.ring.discovery.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.etcd.jetcd.Auth;
import io.etcd.jetcd.KeyValue;
import io.headgate.fixtures.TestPem;
import io.headgate.keyed.ring.discovery.Heard;
import io.headgate.keyed.ring.discovery.PeerInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Against a real etcd. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class EtcdPeersTest {

  private static final String PREFIX = "/gubernator-peers";

  /** A node, and what it heard of the others. */
  private record Node(EtcdPeers peers, Heard heard) {}

  private final List<Node> nodes = new ArrayList<>();
  @TempDir private Path directory;
  private EtcdServer etcd;

  @AfterEach
  void end() {
    nodes.forEach(node -> node.peers().close());
    if (etcd != null) {
      etcd.close();
    }
  }

  @Test
  void joinAndLeave() throws IOException {
    etcd = EtcdServer.start(directory);
    Node a = node("a:1051");
    awaitPeers(a, "a:1051");
    Node b = node("b:1051");
    awaitPeers(a, "a:1051", "b:1051");
    awaitPeers(b, "a:1051", "b:1051");
    b.peers().close();
    assertThat(etcd.entries(PREFIX)).hasSize(1);
    awaitPeers(a, "a:1051");
    assertThat(a.peers().problem()).isEmpty();
  }

  @Test
  void standInEtcdAsThoseOfGubernatorDo() throws IOException {
    etcd = EtcdServer.start(directory);
    EtcdPeers peers =
        EtcdPeers.builder(new PeerInfo("10.0.0.1:1051", "10.0.0.1:1050", "eu"))
            .endpoints(List.of("http://" + etcd.endpoint()))
            .build();
    start(peers);
    await().until(() -> !etcd.entries(PREFIX).isEmpty());
    KeyValue entry = etcd.entries(PREFIX).get(0);
    assertThat(entry.getKey().toString(UTF_8)).isEqualTo("/gubernator-peers10.0.0.1:1051");
    assertThat(entry.getValue().toString(UTF_8))
        .isEqualTo(
            "{\"data-center\":\"eu\",\"http-address\":\"10.0.0.1:1050\","
                + "\"grpc-address\":\"10.0.0.1:1051\"}");
    assertThat(
            EtcdServer.await(
                    etcd.client()
                        .getLeaseClient()
                        .timeToLive(entry.getLease(), io.etcd.jetcd.options.LeaseOption.DEFAULT))
                .getGrantedTTL())
        .isEqualTo(30);
  }

  @Test
  void mayBeNodesOfGubernator() throws IOException {
    etcd = EtcdServer.start(directory);
    etcd.put(
        PREFIX + "go:1051",
        "{\"data-center\":\"eu\",\"http-address\":\"go:1050\",\"grpc-address\":\"go:1051\","
            + "\"is-owner\":true}");
    etcd.put(PREFIX + "old:1051", "old:1051");
    // Another cluster's, whose prefix begins like this one's.
    etcd.put(PREFIX + "-2x:1051", "{\"grpc-address\":\"x:1051\"}");
    etcd.put(PREFIX + "broken:1051", "{\"grpc-address\":7}");
    Node a = node("a:1051");
    await().until(() -> !a.heard().lists().isEmpty());
    assertThat(a.heard().latest())
        .containsExactly(
            PeerInfo.of("a:1051"),
            new PeerInfo("go:1051", "go:1050", "eu"),
            PeerInfo.of("old:1051"));
    await()
        .untilAsserted(
            () ->
                assertThat(a.peers().problem())
                    .isEqualTo(
                        "peers in etcd: /gubernator-peersbroken:1051: \"grpc-address\": 7"
                            + " (expected: a string)"));
  }

  @Test
  void registerAgainWhenTheirLeaseIsLost() throws IOException {
    etcd = EtcdServer.start(directory);
    Node a = node("a:1051");
    Node b = node("b:1051");
    awaitPeers(a, "a:1051", "b:1051");
    KeyValue entry = etcd.entries(PREFIX + "b:1051").get(0);
    etcd.revoke(entry.getLease());
    await()
        .until(
            () -> {
              List<KeyValue> now = etcd.entries(PREFIX + "b:1051");
              return !now.isEmpty() && now.get(0).getLease() != entry.getLease();
            });
    awaitPeers(a, "a:1051", "b:1051");
    assertThat(b.heard().lists()).noneMatch(peers -> !peers.contains(PeerInfo.of("b:1051")));
  }

  @Test
  void putTheirKeyBackWhenSomebodyElseDeletesIt() throws IOException {
    etcd = EtcdServer.start(directory);
    Node a = node("a:1051");
    Node b = node("b:1051");
    awaitPeers(a, "a:1051", "b:1051");
    etcd.delete(PREFIX + "b:1051");
    await().until(() -> etcd.entries(PREFIX + "b:1051").size() == 1);
    await()
        .untilAsserted(
            () ->
                assertThat(a.heard().latest())
                    .containsExactly(PeerInfo.of("a:1051"), PeerInfo.of("b:1051")));
  }

  /** As when a pod or process is replaced by one with its address, and takes long to end. */
  @Test
  void doNotTakeTheKeyOfASuccessorWithThem() throws IOException {
    etcd = EtcdServer.start(directory);
    Node old = node("a:1051");
    await().until(() -> etcd.entries(PREFIX).size() == 1);
    long oldLease = etcd.entries(PREFIX).get(0).getLease();
    Node successor = node("a:1051");
    await().until(() -> etcd.entries(PREFIX).get(0).getLease() != oldLease);
    old.peers().close();
    assertThat(etcd.entries(PREFIX)).hasSize(1);
    assertThat(successor.heard().lists()).hasSize(1);
  }

  @Test
  void areGoneWhenTheyDoNotKeepTheirLease() throws IOException {
    etcd = EtcdServer.start(directory);
    Node a = node("a:1051");
    etcd.putForSeconds(2, PREFIX + "dead:1051", "dead:1051");
    awaitPeers(a, "a:1051", "dead:1051");
    awaitPeers(a, "a:1051");
  }

  @Test
  void stayWhileEtcdIsAwayAndGoOnWhenItIsBack() throws IOException {
    etcd = EtcdServer.start(directory);
    Node a = node("a:1051");
    Node b = node("b:1051");
    awaitPeers(a, "a:1051", "b:1051");
    etcd.kill();
    await().until(() -> a.peers().problem().startsWith("peers in etcd: "));
    int told = a.heard().lists().size();
    etcd.run();
    await().until(() -> a.peers().problem().isEmpty() && b.peers().problem().isEmpty());
    assertThat(a.heard().lists()).hasSize(told);
    Node c = node("c:1051");
    awaitPeers(a, "a:1051", "b:1051", "c:1051");
    awaitPeers(c, "a:1051", "b:1051", "c:1051");
  }

  @Test
  void registerAgainWhenEtcdHasForgottenEverything() throws IOException {
    etcd = EtcdServer.start(directory);
    Node a = node("a:1051");
    Node b = node("b:1051");
    awaitPeers(a, "a:1051", "b:1051");
    etcd.kill();
    etcd.forget();
    etcd.run();
    await().until(() -> etcd.entries(PREFIX).size() == 2);
    Node c = node("c:1051");
    awaitPeers(a, "a:1051", "b:1051", "c:1051");
    awaitPeers(b, "a:1051", "b:1051", "c:1051");
    awaitPeers(c, "a:1051", "b:1051", "c:1051");
  }

  @Test
  void areFoundOnceEtcdIsThere() throws IOException {
    etcd = EtcdServer.start(directory);
    etcd.kill();
    Node a = node("a:1051");
    await().until(() -> a.peers().problem().startsWith("peers in etcd: "));
    assertThat(a.heard().lists()).isEmpty();
    etcd.run();
    awaitPeers(a, "a:1051");
  }

  @Test
  void sayWhoTheyAre() throws IOException {
    etcd = EtcdServer.start(directory);
    Auth auth = etcd.client().getAuthClient();
    EtcdServer.await(auth.userAdd(EtcdServer.bytes("root"), EtcdServer.bytes("secret")));
    EtcdServer.await(auth.userGrantRole(EtcdServer.bytes("root"), EtcdServer.bytes("root")));
    EtcdServer.await(auth.authEnable());
    Node a = start(builder("a:1051").credentials("root", "secret").build());
    awaitPeers(a, "a:1051");
    Node b = node("b:1051");
    await().until(() -> b.peers().problem().startsWith("peers in etcd: "));
    assertThat(b.heard().lists()).isEmpty();
  }

  @Test
  void useTlsOnBothSides() throws Exception {
    TestPem known = TestPem.make(directory, "known");
    etcd = EtcdServer.startWithTls(directory, known);
    Node a =
        start(
            builder("a:1051")
                .tls(new EtcdTls(known.certificate(), known.certificate(), known.key(), true))
                .build());
    awaitPeers(a, "a:1051");
    Node unverified =
        start(
            builder("b:1051")
                .tls(new EtcdTls(null, known.certificate(), known.key(), false))
                .build());
    awaitPeers(unverified, "a:1051", "b:1051");
    Node suspicious =
        start(
            builder("c:1051")
                .tls(new EtcdTls(null, known.certificate(), known.key(), true))
                .build());
    await().until(() -> suspicious.peers().problem().startsWith("peers in etcd: "));
    Node anonymous =
        start(builder("d:1051").tls(new EtcdTls(known.certificate(), null, null, true)).build());
    await().until(() -> anonymous.peers().problem().startsWith("peers in etcd: "));
    awaitPeers(a, "a:1051", "b:1051");
  }

  @Test
  void refuseTlsFilesThatCannotBeUsed() {
    Path missing = directory.resolve("missing");
    assertThatThrownBy(() -> new EtcdTls(null, missing, null, true))
        .hasMessage("etcd TLS: a certificate without a key (expected: both or none)");
    EtcdTls tls = new EtcdTls(missing, null, null, true);
    assertThatThrownBy(() -> EtcdPeers.builder(PeerInfo.of("a:1051")).tls(tls).build())
        .hasMessage("etcd TLS: " + missing + ": not readable (expected: a PEM file)");
  }

  private Node node(String address) {
    return start(builder(address).build());
  }

  /** Less patient than in production. */
  private EtcdPeersBuilder builder(String address) {
    return EtcdPeers.builder(PeerInfo.of(address))
        .endpoints(List.of(etcd.endpoint()))
        .timing(Duration.ofSeconds(3), Duration.ofSeconds(1), Duration.ofMillis(200));
  }

  private Node start(EtcdPeers peers) {
    Node node = new Node(peers, new Heard());
    nodes.add(node);
    peers.start(node.heard());
    return node;
  }

  private static void awaitPeers(Node node, String... addresses) {
    await()
        .atMost(Duration.ofSeconds(15))
        .untilAsserted(() -> assertThat(node.heard().addresses()).containsExactly(addresses));
  }
}
