package io.headgate.server.keyed;

import io.headgate.keyed.ring.discovery.PeerDiscovery;
import io.headgate.keyed.ring.discovery.PeerInfo;
import io.headgate.keyed.ring.discovery.StaticPeers;
import io.headgate.keyed.ring.discovery.dns.DnsPeers;
import io.headgate.keyed.ring.discovery.etcd.EtcdPeers;
import io.headgate.keyed.ring.discovery.etcd.EtcdPeersBuilder;
import io.headgate.keyed.ring.discovery.etcd.EtcdTls;
import io.headgate.keyed.ring.discovery.file.PeerFile;
import io.headgate.keyed.ring.discovery.kubernetes.KubernetesPeers;
import io.headgate.server.run.HostPort;
import io.headgate.server.terminal.UserError;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How the nodes of a cluster find one another, by the variables that Gubernator has for it and two
 * of our own. See {@code docs/cluster.md}.
 *
 * @param discovery finds them; not started yet
 * @param self this node as the others find it, which is how the ring must know it
 * @param kind how people call the way: {@code static}, {@code file}, {@code dns}, {@code etcd},
 *     {@code k8s}, or {@code none} for a node alone
 * @param unused variables of other kinds of discovery that are set, and have no effect
 */
public record DiscoverySettings(
    PeerDiscovery discovery, PeerInfo self, String kind, Set<String> unused) {

  private static final String TYPE = "GUBER_PEER_DISCOVERY_TYPE";
  private static final String PEERS = "HEADGATE_KEYED_PEERS";
  private static final String PEERS_FILE = "HEADGATE_KEYED_PEERS_FILE";
  private static final List<String> PREFIXES =
      List.of(PEERS, TYPE, "GUBER_DNS_", "GUBER_RESOLV_CONF", "GUBER_ETCD_", "GUBER_K8S_");
  private static final String MEMBER_LIST = "GUBER_MEMBERLIST_";
  private static final int DEFAULT_PORT = 1051;

  /**
   * Chooses the way and builds it.
   *
   * @param variables remembers which ones were read
   * @param self this node, by its advertise address and data center
   * @throws UserError if a variable that is needed is missing, one has no use, or a file cannot be
   *     read
   */
  public static DiscoverySettings read(Variables variables, PeerInfo self) {
    try {
      return new Reader(variables, self).read();
    } catch (IllegalArgumentException e) {
      throw UserError.usage(String.valueOf(e.getMessage()));
    }
  }

  private record Reader(Variables variables, PeerInfo self) {

    DiscoverySettings read() {
      String type = variables.text(TYPE);
      boolean peers = variables.has(PEERS);
      boolean file = variables.has(PEERS_FILE);
      if (peers && file) {
        throw UserError.usage(PEERS + " and " + PEERS_FILE + ": both are set (expected: one)");
      }
      if ((peers || file) && !type.isEmpty() && !type.equals("none")) {
        throw variables.invalid(
            TYPE, "not set, or none, as " + (peers ? PEERS : PEERS_FILE) + " is set");
      }
      if (peers) {
        return fixed();
      }
      if (file) {
        Path path = Path.of(variables.text(PEERS_FILE));
        return settings(PeerFile.of(path, self.dataCenter()), self, "file");
      }
      return switch (type) {
        case "none" -> alone();
        case "dns" -> dns();
        case "etcd" -> etcd();
        case "k8s" -> kubernetes();
        case "member-list" -> throw variables.invalid(TYPE, INSTEAD_OF_GOSSIP);
        case "" -> {
          // Where Gubernator would gossip, and where it would be alone for want of known nodes.
          if (variables.hasAny(MEMBER_LIST)) {
            throw UserError.usage(TYPE + ": not set, and so member-list (" + INSTEAD + ")");
          }
          yield alone();
        }
        default -> throw variables.invalid(TYPE, "dns, etcd, k8s or none");
      };
    }

    private static final String INSTEAD_OF_GOSSIP =
        "dns, etcd, k8s or none, or in its place HEADGATE_KEYED_PEERS or"
            + " HEADGATE_KEYED_PEERS_FILE; the gossip of member-list is not spoken";
    private static final String INSTEAD = "expected: " + INSTEAD_OF_GOSSIP;

    private DiscoverySettings settings(PeerDiscovery discovery, PeerInfo self, String kind) {
      Set<String> unused = new TreeSet<>(variables.set());
      unused.removeAll(variables.read());
      unused.removeIf(
          name -> !name.startsWith(MEMBER_LIST) && PREFIXES.stream().noneMatch(name::startsWith));
      return new DiscoverySettings(discovery, self, kind, Set.copyOf(unused));
    }

    private DiscoverySettings alone() {
      return settings(StaticPeers.of(List.of(self)), self, "none");
    }

    private DiscoverySettings fixed() {
      List<PeerInfo> peers = new ArrayList<>();
      for (String entry : variables.list(PEERS)) {
        String[] words = entry.split("\\s+", -1);
        try {
          HostPort.parse(words[0]);
          if (words.length > 2) {
            throw new IllegalArgumentException(entry);
          }
          peers.add(
              new PeerInfo(words[0], "", words.length == 2 ? words[1] : "")
                  .orIn(self.dataCenter()));
        } catch (IllegalArgumentException e) {
          throw UserError.usage(
              PEERS
                  + ": '"
                  + entry
                  + "' (expected: host:port, and after a space the data center if there are"
                  + " several)");
        }
      }
      if (peers.stream().noneMatch(peer -> peer.grpcAddress().equals(self.grpcAddress()))) {
        throw variables.invalid(
            PEERS, "the same list on all nodes, this one among them: " + self.grpcAddress());
      }
      return settings(StaticPeers.of(peers), self, "static");
    }

    private DiscoverySettings dns() {
      variables.required("GUBER_DNS_FQDN", "with " + TYPE + "=dns", "names, parted by commas");
      List<String> names = variables.list("GUBER_DNS_FQDN").stream().map(this::dnsName).toList();
      Path configuration = Path.of(variables.text("GUBER_RESOLV_CONF", "/etc/resolv.conf"));
      boolean centers = !self.dataCenter().isEmpty();
      PeerInfo known = self;
      if (centers) {
        String center = DnsPeers.absolute(self.dataCenter());
        if (!names.contains(center)) {
          throw UserError.usage(
              "GUBER_DATA_CENTER: '"
                  + self.dataCenter()
                  + "' (expected: with "
                  + TYPE
                  + "=dns, the one of GUBER_DNS_FQDN that this node is under)");
        }
        known = new PeerInfo(self.grpcAddress(), self.httpAddress(), center);
      }
      int port = HostPort.parse(self.grpcAddress()).port();
      return settings(
          DnsPeers.of(names, port == 0 ? DEFAULT_PORT : port, centers, configuration),
          known,
          "dns");
    }

    private String dnsName(String name) {
      try {
        return DnsPeers.absolute(name);
      } catch (IllegalArgumentException e) {
        throw UserError.usage(
            "GUBER_DNS_FQDN: '" + name + "' (expected: a name such as peers.example.com)");
      }
    }

    private DiscoverySettings etcd() {
      PeerInfo known =
          new PeerInfo(
              address("GUBER_ETCD_ADVERTISE_ADDRESS", self.grpcAddress()),
              self.httpAddress(),
              variables.text("GUBER_ETCD_DATA_CENTER", self.dataCenter()));
      EtcdPeersBuilder builder =
          EtcdPeers.builder(known)
              .keyPrefix(variables.text("GUBER_ETCD_KEY_PREFIX", "/gubernator-peers"))
              .connectTimeout(variables.duration("GUBER_ETCD_DIAL_TIMEOUT", Duration.ofSeconds(5)))
              .credentials(variables.text("GUBER_ETCD_USER"), variables.text("GUBER_ETCD_PASSWORD"))
              .endpoints(etcdEndpoints());
      EtcdTls tls = etcdTls();
      if (tls != null) {
        builder.tls(tls);
      }
      return settings(builder.build(), known, "etcd");
    }

    private @Nullable EtcdTls etcdTls() {
      boolean enabled = variables.flag("GUBER_ETCD_TLS_ENABLE", false);
      Path certificate = file("GUBER_ETCD_TLS_CERT");
      Path key = file("GUBER_ETCD_TLS_KEY");
      Path authority = file("GUBER_ETCD_TLS_CA");
      boolean skipVerify = variables.flag("GUBER_ETCD_TLS_SKIP_VERIFY", false);
      if (!enabled && !skipVerify && certificate == null && key == null && authority == null) {
        return null;
      }
      return new EtcdTls(authority, certificate, key, !skipVerify);
    }

    private @Nullable Path file(String name) {
      if (!variables.has(name)) {
        return null;
      }
      Path file = Path.of(variables.text(name));
      if (!Files.isReadable(file)) {
        throw variables.invalid(name, "a PEM file that can be read");
      }
      return file;
    }

    private List<String> etcdEndpoints() {
      List<String> endpoints = variables.list("GUBER_ETCD_ENDPOINTS");
      for (String endpoint : endpoints) {
        try {
          HostPort.parse(endpoint.replaceFirst("^https?://", ""));
        } catch (IllegalArgumentException e) {
          throw UserError.usage(
              "GUBER_ETCD_ENDPOINTS: '" + endpoint + "' (expected: host:port, parted by commas)");
        }
      }
      return endpoints.isEmpty() ? List.of("localhost:2379") : endpoints;
    }

    private String address(String name, String defaultValue) {
      String address = variables.text(name, defaultValue);
      try {
        HostPort.parse(address);
      } catch (IllegalArgumentException e) {
        throw variables.invalid(name, "host:port");
      }
      return address;
    }

    private DiscoverySettings kubernetes() {
      String why = "with " + TYPE + "=k8s";
      String ip = variables.required("GUBER_K8S_POD_IP", why, "the IP address of this pod");
      variables.required("GUBER_K8S_POD_PORT", why, "the gRPC port of every pod");
      int port = variables.integer("GUBER_K8S_POD_PORT", 0, 1, 65_535);
      String namespace = variables.text("GUBER_K8S_NAMESPACE", "default");
      KubernetesPeers.Pod pod = new KubernetesPeers.Pod(ip, port, self.dataCenter());
      PeerInfo known =
          new PeerInfo(new HostPort(ip, port).toString(), self.httpAddress(), self.dataCenter());
      String mechanism = variables.text("GUBER_K8S_WATCH_MECHANISM", "endpointslices");
      return switch (mechanism) {
        case "endpointslices", "endpoints" -> {
          String service =
              variables.required("GUBER_K8S_SERVICE_NAME", why, "the service of the pods");
          yield settings(KubernetesPeers.ofService(pod, namespace, service), known, "k8s");
        }
        case "pods" -> {
          // The name that it had in earlier versions.
          String earlier = variables.text("GUBER_K8S_ENDPOINTS_SELECTOR");
          String selector =
              earlier.isEmpty()
                  ? variables.required(
                      "GUBER_K8S_SELECTOR",
                      why + " and GUBER_K8S_WATCH_MECHANISM=pods",
                      "labels such as app=headgate")
                  : variables.text("GUBER_K8S_SELECTOR", earlier);
          yield settings(KubernetesPeers.ofPods(pod, namespace, selector), known, "k8s");
        }
        default -> throw variables.invalid("GUBER_K8S_WATCH_MECHANISM", "endpointslices or pods");
      };
    }
  }
}
