package io.headgate.server.keyed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.headgate.keyed.ring.discovery.PeerInfo;
import io.headgate.keyed.ring.discovery.StaticPeers;
import io.headgate.keyed.ring.discovery.dns.DnsPeers;
import io.headgate.keyed.ring.discovery.etcd.EtcdPeers;
import io.headgate.keyed.ring.discovery.file.PeerFile;
import io.headgate.keyed.ring.discovery.kubernetes.KubernetesPeers;
import io.headgate.server.terminal.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiscoverySettingsTest {

  private static final PeerInfo SELF = new PeerInfo("10.0.0.1:1051", "10.0.0.1:1050", "");
  private static final PeerInfo SELF_IN_EU = new PeerInfo("10.0.0.1:1051", "", "eu");

  @TempDir private Path directory;

  @Test
  void withoutAnyThereIsThisNodeAlone() {
    DiscoverySettings settings = read(SELF);
    assertThat(settings.kind()).isEqualTo("none");
    assertThat(peers(settings)).containsExactly(SELF);
    assertThat(peers(read(SELF, "GUBER_PEER_DISCOVERY_TYPE=none"))).containsExactly(SELF);
  }

  @Test
  void aListOfPeers() {
    DiscoverySettings settings =
        read(SELF_IN_EU, "HEADGATE_KEYED_PEERS=10.0.0.1:1051, 10.0.0.2:1051 us,[fd00::3]:1051");
    assertThat(settings.kind()).isEqualTo("static");
    assertThat(settings.discovery()).isInstanceOf(StaticPeers.class);
    assertThat(peers(settings))
        .containsExactly(
            new PeerInfo("10.0.0.1:1051", "", "eu"),
            new PeerInfo("10.0.0.2:1051", "", "us"),
            new PeerInfo("[fd00::3]:1051", "", "eu"));
  }

  @Test
  void aFileOfPeers() throws IOException {
    Path file = Files.writeString(directory.resolve("peers"), "10.0.0.1:1051\n10.0.0.2:1051 us\n");
    DiscoverySettings settings = read(SELF_IN_EU, "HEADGATE_KEYED_PEERS_FILE=" + file);
    assertThat(settings.kind()).isEqualTo("file");
    assertThat(settings.discovery()).isInstanceOf(PeerFile.class);
    assertThat(peers(settings))
        .containsExactly(
            new PeerInfo("10.0.0.1:1051", "", "eu"), new PeerInfo("10.0.0.2:1051", "", "us"));
  }

  @Test
  void namesInDns() {
    DiscoverySettings settings =
        read(SELF, "GUBER_PEER_DISCOVERY_TYPE=dns", "GUBER_DNS_FQDN=peers.test");
    assertThat(settings.kind()).isEqualTo("dns");
    assertThat(settings.discovery()).isInstanceOf(DnsPeers.class);
    assertThat(settings.self()).isEqualTo(SELF);
    settings.discovery().close();
  }

  @Test
  void namesInDnsThatAreDataCenters() {
    DiscoverySettings settings =
        read(
            new PeerInfo("10.0.0.1:1051", "", "east.test"),
            "GUBER_PEER_DISCOVERY_TYPE=dns",
            "GUBER_DNS_FQDN=west.test,east.test.");
    assertThat(settings.self().dataCenter()).isEqualTo("east.test.");
    settings.discovery().close();
  }

  @Test
  void etcd() {
    DiscoverySettings settings =
        read(
            SELF_IN_EU,
            "GUBER_PEER_DISCOVERY_TYPE=etcd",
            "GUBER_ETCD_ENDPOINTS=127.0.0.1:2379,http://127.0.0.1:2380",
            "GUBER_ETCD_ADVERTISE_ADDRESS=node.example.com:81",
            "GUBER_ETCD_DATA_CENTER=us",
            "GUBER_ETCD_DIAL_TIMEOUT=2s");
    assertThat(settings.kind()).isEqualTo("etcd");
    assertThat(settings.discovery()).isInstanceOf(EtcdPeers.class);
    assertThat(settings.self()).isEqualTo(new PeerInfo("node.example.com:81", "", "us"));
    settings.discovery().close();
  }

  @Test
  void podsInKubernetes() {
    for (String how :
        List.of(
            "GUBER_K8S_SERVICE_NAME=headgate",
            "GUBER_K8S_WATCH_MECHANISM=endpoints GUBER_K8S_SERVICE_NAME=headgate",
            "GUBER_K8S_WATCH_MECHANISM=pods GUBER_K8S_SELECTOR=app=headgate",
            "GUBER_K8S_WATCH_MECHANISM=pods GUBER_K8S_ENDPOINTS_SELECTOR=app=headgate")) {
      DiscoverySettings settings =
          read(
              SELF_IN_EU,
              ("GUBER_PEER_DISCOVERY_TYPE=k8s GUBER_K8S_POD_IP=fd00::7 GUBER_K8S_POD_PORT=81 "
                      + how)
                  .split(" "));
      assertThat(settings.kind()).isEqualTo("k8s");
      assertThat(settings.discovery()).isInstanceOf(KubernetesPeers.class);
      assertThat(settings.self()).isEqualTo(new PeerInfo("[fd00::7]:81", "", "eu"));
      assertThat(settings.unused()).isEmpty();
      settings.discovery().close();
    }
  }

  @Test
  void gossipIsRefusedWithWhatToDoInstead() {
    assertRefused(
        "GUBER_PEER_DISCOVERY_TYPE: 'member-list' (expected: dns, etcd, k8s or none, or in its"
            + " place HEADGATE_KEYED_PEERS or HEADGATE_KEYED_PEERS_FILE; the gossip of member-list is not"
            + " spoken)",
        "GUBER_PEER_DISCOVERY_TYPE=member-list");
    assertRefused(
        "GUBER_PEER_DISCOVERY_TYPE: not set, and so member-list (expected: dns, etcd, k8s or none,"
            + " or in its place HEADGATE_KEYED_PEERS or HEADGATE_KEYED_PEERS_FILE; the gossip of member-list is"
            + " not spoken)",
        "GUBER_MEMBERLIST_KNOWN_NODES=10.0.0.2");
  }

  @Test
  void aMistakeIsToldWithItsVariableItsValueAndWhatWasExpected() {
    assertRefused(
        "GUBER_PEER_DISCOVERY_TYPE: 'zookeeper' (expected: dns, etcd, k8s or none)",
        "GUBER_PEER_DISCOVERY_TYPE=zookeeper");
    assertRefused(
        "HEADGATE_KEYED_PEERS and HEADGATE_KEYED_PEERS_FILE: both are set (expected: one)",
        "HEADGATE_KEYED_PEERS=10.0.0.1:1051",
        "HEADGATE_KEYED_PEERS_FILE=x");
    assertRefused(
        "GUBER_PEER_DISCOVERY_TYPE: 'dns' (expected: not set, or none, as HEADGATE_KEYED_PEERS is set)",
        "HEADGATE_KEYED_PEERS=10.0.0.1:1051",
        "GUBER_PEER_DISCOVERY_TYPE=dns");
    assertRefused(
        "HEADGATE_KEYED_PEERS: '10.0.0.2' (expected: host:port, and after a space the data center if"
            + " there are several)",
        "HEADGATE_KEYED_PEERS=10.0.0.1:1051,10.0.0.2");
    assertRefused(
        "HEADGATE_KEYED_PEERS: '10.0.0.2:1051' (expected: the same list on all nodes, this one among"
            + " them: 10.0.0.1:1051)",
        "HEADGATE_KEYED_PEERS=10.0.0.2:1051");
    assertRefused(
        "GUBER_DNS_FQDN: not set (expected with GUBER_PEER_DISCOVERY_TYPE=dns: names, parted by"
            + " commas)",
        "GUBER_PEER_DISCOVERY_TYPE=dns");
    assertRefused(
        "GUBER_DNS_FQDN: 'a..b' (expected: a name such as peers.example.com)",
        "GUBER_PEER_DISCOVERY_TYPE=dns",
        "GUBER_DNS_FQDN=peers.test,a..b");
    assertRefused(
        "GUBER_ETCD_ENDPOINTS: 'localhost' (expected: host:port, parted by commas)",
        "GUBER_PEER_DISCOVERY_TYPE=etcd",
        "GUBER_ETCD_ENDPOINTS=localhost");
    assertRefused(
        "GUBER_ETCD_ADVERTISE_ADDRESS: 'here' (expected: host:port)",
        "GUBER_PEER_DISCOVERY_TYPE=etcd",
        "GUBER_ETCD_ADVERTISE_ADDRESS=here");
    assertRefused(
        "GUBER_ETCD_DIAL_TIMEOUT: '5' (expected: a duration such as 500ms, 1.5s or 2m)",
        "GUBER_PEER_DISCOVERY_TYPE=etcd",
        "GUBER_ETCD_DIAL_TIMEOUT=5");
    Path missing = directory.resolve("missing.pem");
    assertRefused(
        "GUBER_ETCD_TLS_CA: '" + missing + "' (expected: a PEM file that can be read)",
        "GUBER_PEER_DISCOVERY_TYPE=etcd",
        "GUBER_ETCD_TLS_CA=" + missing);
    assertRefused(
        "GUBER_K8S_POD_IP: not set (expected with GUBER_PEER_DISCOVERY_TYPE=k8s: the IP address of"
            + " this pod)",
        "GUBER_PEER_DISCOVERY_TYPE=k8s");
    assertRefused(
        "GUBER_K8S_POD_PORT: '0' (expected: a whole number from 1 to 65535)",
        "GUBER_PEER_DISCOVERY_TYPE=k8s",
        "GUBER_K8S_POD_IP=10.0.0.1",
        "GUBER_K8S_POD_PORT=0");
    assertRefused(
        "GUBER_K8S_SERVICE_NAME: not set (expected with GUBER_PEER_DISCOVERY_TYPE=k8s: the service"
            + " of the pods)",
        "GUBER_PEER_DISCOVERY_TYPE=k8s",
        "GUBER_K8S_POD_IP=10.0.0.1",
        "GUBER_K8S_POD_PORT=81");
    assertRefused(
        "GUBER_K8S_SELECTOR: not set (expected with GUBER_PEER_DISCOVERY_TYPE=k8s and"
            + " GUBER_K8S_WATCH_MECHANISM=pods: labels such as app=headgate)",
        "GUBER_PEER_DISCOVERY_TYPE=k8s",
        "GUBER_K8S_POD_IP=10.0.0.1",
        "GUBER_K8S_POD_PORT=81",
        "GUBER_K8S_WATCH_MECHANISM=pods");
    assertRefused(
        "GUBER_K8S_WATCH_MECHANISM: 'nodes' (expected: endpointslices or pods)",
        "GUBER_PEER_DISCOVERY_TYPE=k8s",
        "GUBER_K8S_POD_IP=10.0.0.1",
        "GUBER_K8S_POD_PORT=81",
        "GUBER_K8S_WATCH_MECHANISM=nodes");
  }

  @Test
  void inDnsTheDataCenterIsOneOfTheNames() {
    assertThatThrownBy(
            () -> read(SELF_IN_EU, "GUBER_PEER_DISCOVERY_TYPE=dns", "GUBER_DNS_FQDN=a.test,b.test"))
        .hasMessage(
            "GUBER_DATA_CENTER: 'eu' (expected: with GUBER_PEER_DISCOVERY_TYPE=dns, the one of"
                + " GUBER_DNS_FQDN that this node is under)");
  }

  @Test
  void variablesOfOtherWaysAreTold() {
    assertThat(
            read(
                    SELF,
                    "HEADGATE_KEYED_PEERS=10.0.0.1:1051",
                    "GUBER_ETCD_USER=x",
                    "GUBER_MEMBERLIST_KNOWN_NODES=y",
                    "GUBER_CACHE_SIZE=1",
                    "PATH=/bin")
                .unused())
        .containsExactlyInAnyOrder("GUBER_ETCD_USER", "GUBER_MEMBERLIST_KNOWN_NODES");
  }

  private static List<PeerInfo> peers(DiscoverySettings settings) {
    List<PeerInfo> heard = new CopyOnWriteArrayList<>();
    try (var discovery = settings.discovery()) {
      discovery.start(heard::addAll);
      await().until(() -> !heard.isEmpty());
    }
    return heard;
  }

  private static void assertRefused(String message, String... variables) {
    assertThatThrownBy(() -> read(SELF, variables))
        .isInstanceOf(UserError.class)
        .hasMessage(message);
  }

  private static DiscoverySettings read(PeerInfo self, String... variables) {
    Map<String, String> values = new HashMap<>();
    for (String variable : variables) {
      int equals = variable.indexOf('=');
      values.put(variable.substring(0, equals), variable.substring(equals + 1));
    }
    return DiscoverySettings.read(new Variables(values), self);
  }
}
