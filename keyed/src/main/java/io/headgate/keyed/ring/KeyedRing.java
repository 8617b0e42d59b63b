package io.headgate.keyed.ring;

import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.Status;
import io.headgate.keyed.KeyedLimiter;
import io.headgate.keyed.ring.bucket.BucketLoader;
import io.headgate.keyed.ring.bucket.HitKey;
import io.headgate.keyed.ring.discovery.PeerDiscovery;
import io.headgate.keyed.ring.discovery.PeerInfo;
import io.headgate.keyed.ring.peer.Peer;
import io.headgate.keyed.ring.peer.PeerSettings;
import io.headgate.protocol.gubernator.GetRateLimitsReq;
import io.headgate.protocol.gubernator.GetRateLimitsResp;
import io.headgate.protocol.gubernator.HealthCheckResp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A node of a cluster, to be embedded in a service: counts hits against limits that come with them,
 * each key on one of the nodes, and serves the API of Gubernator.
 *
 * <pre>{@code
 * try (KeyedRing ring = KeyedRing.builder("10.0.0.1:1051").discovery(peers).start()) {
 *   ring.check(request).thenAccept(response -> ...);
 * }
 * }</pre>
 *
 * Safe for use by many threads.
 */
public final class KeyedRing implements AutoCloseable {

  private static final long TERMINATION_SECONDS = 5;

  private final RingNode node;
  private final NodeHealth health;
  private final PeerDiscovery discovery;
  private final BucketLoader loader;
  private final ScheduledExecutorService scheduler;
  private final Duration drainTime;
  private final Server server;
  private boolean closed;

  KeyedRing(
      RingNode node,
      Server server,
      NodeHealth health,
      PeerDiscovery discovery,
      RingBuilder builder) {
    this.node = node;
    this.server = server;
    this.health = health;
    this.discovery = discovery;
    loader = builder.loader;
    scheduler = builder.scheduler();
    drainTime = builder.drainTime;
  }

  /**
   * Begins to describe a node.
   *
   * @param address {@code host:port} where it listens, and where others find it
   */
  public static RingBuilder builder(String address) {
    return new RingBuilder(PeerInfo.of(address));
  }

  KeyedRing open() {
    node.load(loader);
    try {
      server.start();
    } catch (IOException e) {
      scheduler.shutdownNow();
      throw new UncheckedIOException(
          "cannot listen on " + node.self().grpcAddress() + ": " + e.getMessage(), e);
    }
    discovery.start(node::setPeers);
    return this;
  }

  /**
   * Counts hits and answers for each request, in their order; see {@code docs/gubernator.md}.
   *
   * @return fails with {@link io.grpc.StatusRuntimeException} if there are more than 1,000 requests
   */
  public CompletableFuture<GetRateLimitsResp> check(GetRateLimitsReq request) {
    if (request.getRequestsCount() > PeerSettings.MAX_BATCH) {
      return CompletableFuture.failedFuture(
          Status.OUT_OF_RANGE
              .withDescription("Requests.RateLimits list too large; max size is '1000'")
              .asRuntimeException());
    }
    CompletableFuture<GetRateLimitsResp> answer = new CompletableFuture<>();
    node.clients()
        .check(
            request.getRequestsList(),
            responses ->
                answer.complete(GetRateLimitsResp.newBuilder().addAllResponses(responses).build()));
    return answer;
  }

  /**
   * Limits by key whose counts are on the nodes of this cluster, for the same limits as in the
   * process and in Redis. It lasts as long as this node.
   */
  public KeyedLimiter limiter() {
    return node.limiter();
  }

  /** Whether this node takes part in its cluster, and who else does. */
  public HealthCheckResp health() {
    return health.check();
  }

  /** What this node has done. */
  public RingStats stats() {
    return node.stats();
  }

  /** What this node holds, and what it is about to tell others. */
  public RingGauges gauges() {
    List<RingGauges.PeerGauges> peers = new ArrayList<>();
    for (Peer peer : node.topology().members()) {
      peers.add(
          new RingGauges.PeerGauges(
              peer.info().grpcAddress(), peer.queued(), peer.retries(), peer.errors().count()));
    }
    return new RingGauges(
        node.buckets().size(),
        node.buckets().hits(),
        node.buckets().misses(),
        node.buckets().unexpiredEvictions(),
        node.owedKeys(),
        node.owedErrors(),
        node.broadcaster().size(),
        node.broadcaster().broadcasts(),
        node.broadcaster().errors(),
        node.handOver().moved(),
        node.handOver().failed(),
        peers);
  }

  /** Whether this node is the one that counts a key. */
  public boolean owns(HitKey key) {
    return !node.topology().isEmpty() && node.topology().ownerOf(key) == null;
  }

  /** Where the node listens. */
  public int port() {
    return server.getPort();
  }

  /**
   * Leaves the cluster: others no longer find this node, its buckets go to their new owners and its
   * hits to theirs; meanwhile it answers on. Then it closes its port.
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    health.closing();
    discovery.close();
    node.leave(drainTime.toMillis()).join();
    server.shutdown();
    try {
      if (!server.awaitTermination(TERMINATION_SECONDS, TimeUnit.SECONDS)) {
        server.shutdownNow();
      }
    } catch (InterruptedException e) {
      server.shutdownNow();
      Thread.currentThread().interrupt();
    }
    node.save(loader);
    node.close();
    scheduler.shutdown();
  }

  /** Closes at once, and gives nothing away, as if the process were killed. */
  synchronized void kill() {
    closed = true;
    server.shutdownNow();
    node.close();
    scheduler.shutdownNow();
  }

  RingNode node() {
    return node;
  }

  static List<BindableService> services(RingNode node, NodeHealth health) {
    return new RingServices(node, health).all();
  }
}
