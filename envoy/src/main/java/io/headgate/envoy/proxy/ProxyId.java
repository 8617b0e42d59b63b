package io.headgate.envoy.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.envoyproxy.envoy.config.core.v3.Node;
import io.headgate.core.rule.Identifier;
import io.headgate.core.rule.Location;
import java.util.zip.CRC32;

/**
 * Who a proxy is.
 *
 * @param id its node id, the same on all its streams and after a restart
 * @param service its node cluster: the service that it belongs to
 */
record ProxyId(String id, String service) {

  private static final int MAX_CLIENT_ID = 128;
  private static final int MAX_SHOWN = 80;

  /**
   * The proxy that a node is.
   *
   * @param location where the control plane is; a node that names no region or zone is taken to be
   *     there too
   * @throws IllegalArgumentException if the node does not say enough, or is elsewhere
   */
  static ProxyId of(Node node, Location location) {
    if (node.getId().isEmpty()) {
      throw new IllegalArgumentException(
          "node.id: empty (expected: a name that no other proxy has)");
    }
    if (!Identifier.isValid(node.getCluster())) {
      throw new IllegalArgumentException(
          "node '"
              + shown(node.getId())
              + "': node.cluster: '"
              + shown(node.getCluster())
              + "' (expected: the service, "
              + Identifier.EXPECTED
              + ")");
    }
    checkPlace(node, "region", node.getLocality().getRegion(), location.region());
    checkPlace(node, "zone", node.getLocality().getZone(), location.zone());
    return new ProxyId(node.getId(), node.getCluster());
  }

  private static void checkPlace(Node node, String part, String found, String expected) {
    if (!found.isEmpty() && !found.equals(expected)) {
      throw new IllegalArgumentException(
          "node '"
              + shown(node.getId())
              + "': node.locality."
              + part
              + ": '"
              + shown(found)
              + "' (expected: '"
              + expected
              + "', as this server's)");
    }
  }

  /** What an aggregator knows the proxy by. */
  String clientId() {
    String name = "envoy:" + id;
    if (name.length() <= MAX_CLIENT_ID && name.chars().allMatch(c -> c >= ' ' && c <= '~')) {
      return name;
    }
    CRC32 checksum = new CRC32();
    checksum.update(id.getBytes(UTF_8));
    StringBuilder printable = new StringBuilder();
    name.chars()
        .map(c -> c >= ' ' && c <= '~' ? c : '?')
        .limit(MAX_CLIENT_ID - 9)
        .forEach(c -> printable.append((char) c));
    return printable.append('-').append(Long.toHexString(checksum.getValue())).toString();
  }

  /** What a stranger sends must not fill the log. */
  private static String shown(String text) {
    return text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "...";
  }
}
