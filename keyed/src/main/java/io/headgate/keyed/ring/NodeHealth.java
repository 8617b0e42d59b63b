package io.headgate.keyed.ring;

import io.headgate.keyed.ring.cluster.Topology;
import io.headgate.keyed.ring.discovery.PeerDiscovery;
import io.headgate.keyed.ring.discovery.PeerInfo;
import io.headgate.keyed.ring.peer.Peer;
import io.headgate.protocol.gubernator.HealthCheckResp;
import io.headgate.protocol.gubernator.PeerHealthResp;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Whether a node takes part in its cluster. A peer that fails is told of and changes nothing: it is
 * that peer that is ill.
 */
final class NodeHealth {

  private static final long RECENT_MILLIS = 60_000;
  private static final String HEALTHY = "healthy";

  private final RingNode node;
  private final PeerDiscovery discovery;
  private volatile boolean closing;

  NodeHealth(RingNode node, PeerDiscovery discovery) {
    this.node = node;
    this.discovery = discovery;
  }

  static boolean isHealthy(HealthCheckResp response) {
    return response.getStatus().equals(HEALTHY);
  }

  void closing() {
    closing = true;
  }

  boolean isClosing() {
    return closing;
  }

  HealthCheckResp check() {
    Topology topology = node.topology();
    List<String> problems = new ArrayList<>();
    boolean healthy = !closing;
    if (closing) {
      problems.add("server is shutting down");
    } else if (!topology.containsSelf()) {
      healthy = false;
      problems.add("this instance is not found in the peer list");
    }
    if (!discovery.problem().isEmpty()) {
      problems.add(discovery.problem());
    }
    for (Peer peer : topology.members()) {
      String error = peer.errors().since(RECENT_MILLIS);
      if (error != null) {
        problems.add(
            "error returned from peer.GetLastErr: from host "
                + peer.info().grpcAddress()
                + ": "
                + error);
      }
    }
    return HealthCheckResp.newBuilder()
        .setStatus(healthy ? HEALTHY : "unhealthy")
        .setMessage(problems.stream().sorted().collect(Collectors.joining("|")))
        .setPeerCount(topology.localInfos().size() + topology.regionInfos().size())
        .setAdvertiseAddress(node.self().grpcAddress())
        .addAllLocalPeers(topology.localInfos().stream().map(NodeHealth::describe).toList())
        .addAllRegionPeers(topology.regionInfos().stream().map(NodeHealth::describe).toList())
        .build();
  }

  private static PeerHealthResp describe(PeerInfo info) {
    return PeerHealthResp.newBuilder()
        .setGrpcAddress(info.grpcAddress())
        .setDataCenter(info.dataCenter())
        .build();
  }
}
