package io.headgate.keyed.ring;

import io.grpc.ManagedChannel;
import io.headgate.core.hits.HitRequest;
import io.headgate.keyed.KeyedListener;
import io.headgate.keyed.ring.bucket.BucketLoader;
import io.headgate.keyed.ring.bucket.BucketMap;
import io.headgate.keyed.ring.bucket.BucketStore;
import io.headgate.keyed.ring.bucket.HitKey;
import io.headgate.keyed.ring.cluster.Cluster;
import io.headgate.keyed.ring.cluster.HandOver;
import io.headgate.keyed.ring.cluster.Topology;
import io.headgate.keyed.ring.discovery.PeerInfo;
import io.headgate.keyed.ring.global.AdmittedBatches;
import io.headgate.keyed.ring.global.Broadcaster;
import io.headgate.keyed.ring.global.HitOutbox;
import io.headgate.keyed.ring.global.Replicas;
import io.headgate.keyed.ring.limiter.Decisions;
import io.headgate.keyed.ring.limiter.RingKeyedLimiter;
import io.headgate.keyed.ring.peer.BatchIds;
import io.headgate.keyed.ring.peer.Peer;
import io.headgate.keyed.ring.peer.PeerErrors;
import io.headgate.protocol.gubernator.UpdatePeerGlobalsReq;
import io.headgate.protocol.ring.v1.BatchId;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A node of the cluster, without its ports. Safe for use by many threads; nothing blocks. */
final class RingNode {

  private static final long FLUSH_POLL_MILLIS = 20;

  private final LongSupplier millis;
  private final ScheduledExecutorService scheduler;
  private final RingStats stats = new RingStats();
  private final BucketMap buckets;
  private final Cluster cluster;
  private final Counts counts;
  private final HitOutbox outbox;
  private final Replicas replicas;
  private final Regions regions;
  private final Broadcaster broadcaster;
  private final HandOver handOver;
  private final Owner owner;
  private final ClientCalls clients;
  private final PeerCalls peers;
  private final Decisions decisions;
  private final RingKeyedLimiter limiter;

  /** What a node is made of, beside its settings. */
  record Parts(
      PeerInfo self,
      Function<PeerInfo, ManagedChannel> connect,
      ScheduledExecutorService scheduler,
      LongSupplier millis,
      LongSupplier nanos,
      RandomGenerator random,
      BucketStore store,
      RingListener listener,
      KeyedListener keyedListener,
      ZoneId zone) {}

  RingNode(RingSettings settings, Parts parts) {
    millis = parts.millis();
    scheduler = parts.scheduler();
    buckets = new BucketMap(settings.cacheSize(), parts.store(), parts.zone());
    BucketMap replicaBuckets = new BucketMap(settings.cacheSize(), BucketStore.NONE, parts.zone());
    AdmittedBatches admitted = new AdmittedBatches();
    BatchIds ids = new BatchIds(parts.random());
    cluster =
        new Cluster(
            parts.self(),
            settings.hash(),
            settings.replicas(),
            settings.handOverTime(),
            info ->
                new Peer(
                    info,
                    parts.connect().apply(info),
                    settings.peers(),
                    ids,
                    scheduler,
                    new PeerErrors(millis)),
            scheduler,
            millis);
    broadcaster =
        new Broadcaster(
            buckets,
            admitted,
            () -> cluster.topology().localPeers(),
            settings.sync(),
            scheduler,
            millis);
    regions = new Regions(cluster, settings.sync(), () -> new BatchIds(parts.random()), scheduler);
    counts = new Counts(buckets, broadcaster, regions, parts.listener(), stats);
    outbox = new HitOutbox(new ToOwner(), settings.sync(), new BatchIds(parts.random()), scheduler);
    replicas = new Replicas(replicaBuckets, outbox);
    handOver =
        new HandOver(
            buckets,
            parts.self().grpcAddress(),
            new BatchIds(parts.random()),
            scheduler,
            millis,
            settings.handOverTime());
    cluster.beforeChange(handOver::begin);
    cluster.onChange(handOver::run);
    owner = new Owner(cluster, buckets, replicaBuckets, counts, handOver, stats, millis);
    clients = new ClientCalls(settings, owner, replicas, stats);
    peers = new PeerCalls(cluster, owner, counts, buckets, admitted, stats);
    decisions = new Decisions(parts.nanos());
    limiter =
        new RingKeyedLimiter(
            cluster,
            decisions,
            settings.peers().timeout().toNanos(),
            parts.random(),
            parts.nanos(),
            parts.keyedListener());
  }

  private final class ToOwner implements HitOutbox.Route {
    @Override
    public @Nullable Peer ownerOf(HitKey key) {
      return cluster.topology().ownerOf(key);
    }

    @Override
    public boolean isMember(Peer peer) {
      return cluster.topology().contains(peer);
    }

    @Override
    public void countHere(HitKey key, HitRequest request) {
      counts.charge(key, request, millis.getAsLong());
    }
  }

  /** Answers clients. */
  ClientCalls clients() {
    return clients;
  }

  /** Decides on limits by key. */
  Decisions decisions() {
    return decisions;
  }

  RingKeyedLimiter limiter() {
    return limiter;
  }

  /** Counts for the keys of this node. */
  Owner owner() {
    return owner;
  }

  /** Answers other nodes. */
  PeerCalls peers() {
    return peers;
  }

  /** Takes in how keys stand that this node answers for. */
  void update(UpdatePeerGlobalsReq message) {
    long included = 0;
    for (BatchId id : message.getIncludedList()) {
      if (id.getSender() == outbox.sender()) {
        included = id.getNumber();
      }
    }
    long now = millis.getAsLong();
    for (var global : message.getGlobalsList()) {
      stats.add(RingStats.Event.UPDATED);
      replicas.update(global, included, now);
    }
  }

  void setPeers(List<PeerInfo> peers) {
    cluster.setPeers(peers);
  }

  void load(BucketLoader loader) {
    long now = millis.getAsLong();
    loader.load().forEach(entry -> buckets.merge(entry.key(), entry.state(), now));
  }

  void save(BucketLoader loader) {
    loader.save(buckets.entries(millis.getAsLong()).stream());
  }

  /**
   * Gives everything away: buckets to those who own them without this node, hits to their owners.
   *
   * @return completed when that is done, at the latest after the time given
   */
  CompletableFuture<Void> leave(long timeoutMillis) {
    Topology topology = cluster.topology();
    List<PeerInfo> others = new ArrayList<>(topology.localInfos());
    others.removeIf(info -> info.grpcAddress().equals(cluster.self().grpcAddress()));
    others.addAll(topology.regionInfos());
    CompletableFuture<Void> handed = CompletableFuture.completedFuture(null);
    if (!others.isEmpty() && topology.containsSelf()) {
      CompletableFuture<Void> done = new CompletableFuture<>();
      cluster.onChange(
          without -> handOver.run(without).whenComplete((v, failure) -> done.complete(null)));
      cluster.setPeers(others);
      handed = done;
    }
    long end = millis.getAsLong() + timeoutMillis;
    return handed
        .thenCompose(v -> flushed(end))
        .completeOnTimeout(null, timeoutMillis, TimeUnit.MILLISECONDS);
  }

  private CompletableFuture<Void> flushed(long end) {
    outbox.flush();
    regions.flush();
    broadcaster.flush();
    if (owed() == 0 || millis.getAsLong() >= end) {
      return CompletableFuture.completedFuture(null);
    }
    CompletableFuture<Void> later = new CompletableFuture<>();
    scheduler.schedule(
        () -> flushed(end).thenAccept(later::complete), FLUSH_POLL_MILLIS, TimeUnit.MILLISECONDS);
    return later;
  }

  /** Keys for which somebody is still to be told something. */
  int owed() {
    return owedKeys() + broadcaster.size();
  }

  /** Keys whose owners, here or in other data centers, do not have all hits yet. */
  int owedKeys() {
    return outbox.size() + regions.size();
  }

  /** Batches of hits that failed. */
  long owedErrors() {
    return outbox.errors() + regions.errors();
  }

  void close() {
    cluster.close();
  }

  Topology topology() {
    return cluster.topology();
  }

  PeerInfo self() {
    return cluster.self();
  }

  BucketMap buckets() {
    return buckets;
  }

  RingStats stats() {
    return stats;
  }

  Broadcaster broadcaster() {
    return broadcaster;
  }

  HitOutbox outbox() {
    return outbox;
  }

  HandOver handOver() {
    return handOver;
  }
}
