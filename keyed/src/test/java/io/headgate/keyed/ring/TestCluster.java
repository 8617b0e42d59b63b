package io.headgate.keyed.ring;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.headgate.fixtures.FreePorts;
import io.headgate.keyed.ring.bucket.HitKey;
import io.headgate.keyed.ring.discovery.PeerInfo;
import io.headgate.protocol.gubernator.GetRateLimitsReq;
import io.headgate.protocol.gubernator.RateLimitReq;
import io.headgate.protocol.gubernator.RateLimitResp;
import io.headgate.protocol.gubernator.Status;
import io.headgate.protocol.gubernator.V1Grpc;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/** Nodes on loopback, with ports of their own, that share one clock that a test may move. */
final class TestCluster implements AutoCloseable {

  final ChangingPeers peers = new ChangingPeers();
  final AtomicLong offset = new AtomicLong();
  private final List<PeerInfo> infos = new ArrayList<>();
  private final List<KeyedRing> nodes = new ArrayList<>();
  private final Map<String, ManagedChannel> channels = new ConcurrentHashMap<>();

  /** Starts nodes in one data center. */
  static TestCluster of(int count, RingSettings settings) {
    TestCluster cluster = new TestCluster();
    for (int i = 0; i < count; i++) {
      cluster.infos.add(PeerInfo.of("127.0.0.1:" + FreePorts.next()));
    }
    for (int i = 0; i < count; i++) {
      cluster.start(cluster.infos.get(i), builder -> builder.settings(settings));
    }
    cluster.peers.set(cluster.infos);
    return cluster;
  }

  /** Starts a node; {@link #peers} decides who knows of it. */
  KeyedRing start(PeerInfo info, UnaryOperator<RingBuilder> describe) {
    KeyedRing node =
        describe
            .apply(
                KeyedRing.builder(info.grpcAddress())
                    .dataCenter(info.dataCenter())
                    .discovery(peers.seenBy(info))
                    .clock(() -> System.currentTimeMillis() + offset.get()))
            .start();
    nodes.add(node);
    return node;
  }

  KeyedRing node(int index) {
    return nodes.get(index);
  }

  int size() {
    return nodes.size();
  }

  String address(int index) {
    return nodes.get(index).health().getAdvertiseAddress();
  }

  V1Grpc.V1BlockingStub client(int index) {
    return V1Grpc.newBlockingStub(channel(address(index)));
  }

  ManagedChannel channel(String address) {
    return channels.computeIfAbsent(
        address,
        target -> Grpc.newChannelBuilder(target, InsecureChannelCredentials.create()).build());
  }

  /** Asks a node over gRPC. */
  RateLimitResp ask(int index, RateLimitReq request) {
    return client(index)
        .getRateLimits(GetRateLimitsReq.newBuilder().addRequests(request).build())
        .getResponses(0);
  }

  /** Asks several over gRPC in one call. */
  List<RateLimitResp> ask(int index, RateLimitReq... requests) {
    return client(index)
        .getRateLimits(
            GetRateLimitsReq.newBuilder().addAllRequests(Arrays.asList(requests)).build())
        .getResponsesList();
  }

  /** The position of the node that owns a key. */
  int ownerOf(String name, String key) {
    for (int i = 0; i < nodes.size(); i++) {
      if (nodes.get(i).owns(new HitKey(name, key))) {
        return i;
      }
    }
    throw new IllegalStateException("nobody owns " + name + "_" + key);
  }

  /** A key of a limit that a node owns. */
  String keyOf(int index, String name) {
    for (int i = 0; ; i++) {
      String key = Integer.toHexString(i * 0x9E3779B9) + "key";
      if (nodes.get(index).owns(new HitKey(name, key))) {
        return key;
      }
    }
  }

  /** A node that does not own a key; the n-th. */
  int other(String name, String key, int n) {
    int owner = ownerOf(name, key);
    return (owner + 1 + n) % nodes.size() == owner
        ? other(name, key, n + 1)
        : (owner + 1 + n) % nodes.size();
  }

  /** An answer as the tables have it: U9 or O0. */
  static String brief(RateLimitResp response) {
    return response.getError().isEmpty()
        ? (response.getStatus() == Status.OVER_LIMIT ? "O" : "U") + response.getRemaining()
        : response.getError();
  }

  @Override
  public void close() {
    channels.values().forEach(ManagedChannel::shutdownNow);
    nodes.forEach(KeyedRing::kill);
  }
}
