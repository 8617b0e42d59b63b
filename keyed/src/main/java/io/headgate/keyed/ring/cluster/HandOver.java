package io.headgate.keyed.ring.cluster;

import io.grpc.Status;
import io.headgate.core.hits.BucketState;
import io.headgate.keyed.ring.bucket.BucketMap;
import io.headgate.keyed.ring.bucket.HitKey;
import io.headgate.keyed.ring.bucket.Wire;
import io.headgate.keyed.ring.peer.BatchIds;
import io.headgate.keyed.ring.peer.Peer;
import io.headgate.protocol.ring.v1.HandOverRequest;
import io.headgate.protocol.ring.v1.HandOverResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives buckets to their new owners when the ring changes. A bucket counts in one place at a time:
 * here, until it is taken out to be sent; there, once it has arrived; between the two, whoever asks
 * for it waits. What cannot be sent stays here.
 */
public final class HandOver {

  private static final int BATCH = 500;
  private static final int TRIES = 3;
  private static final int LATER_TRIES = 200;
  private static final long RETRY_MILLIS = 50;
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final BucketMap buckets;
  private final String self;
  private final BatchIds ids;
  private final ScheduledExecutorService scheduler;
  private final LongSupplier millis;
  private final Map<HitKey, CompletableFuture<Void>> moving = new ConcurrentHashMap<>();
  private volatile int runs;
  private final AtomicInteger running = new AtomicInteger();
  private final LongAdder moved = new LongAdder();
  private final LongAdder failed = new LongAdder();

  /**
   * Creates one.
   *
   * @param self the gRPC address of this node
   * @param scheduler where buckets are gathered, and what failed is tried again
   */
  public HandOver(
      BucketMap buckets,
      String self,
      BatchIds ids,
      ScheduledExecutorService scheduler,
      LongSupplier millis) {
    this.buckets = buckets;
    this.self = self;
    this.ids = ids;
    this.scheduler = scheduler;
    this.millis = millis;
  }

  /**
   * To be called before a new ring is in force: until {@link #run} is done, this node may hold
   * buckets of others, and counts in them as long as it does.
   */
  public void begin() {
    running.incrementAndGet();
  }

  /** Whether this node may hold buckets that others own. */
  public boolean isRunning() {
    return running.get() > 0;
  }

  /** Completed once a bucket that is on its way has arrived; null if it is not on its way. */
  public @Nullable CompletableFuture<Void> arrival(HitKey key) {
    return moving.get(key);
  }

  /** Buckets that were given away. */
  public long moved() {
    return moved.sum();
  }

  /** Buckets that could not be given away and stayed. */
  public long failed() {
    return failed.sum();
  }

  /**
   * Gives away all buckets that others own, and tells everybody when that is done. {@link #begin}
   * comes before.
   *
   * @return completed when it is done, whether all went well or not
   */
  public CompletableFuture<Void> run(Topology topology) {
    runs++;
    return CompletableFuture.supplyAsync(() -> gather(topology), scheduler)
        .thenCompose(byOwner -> sendAll(topology, byOwner))
        .whenComplete((done, failure) -> running.decrementAndGet());
  }

  private Map<Peer, List<HitKey>> gather(Topology topology) {
    Map<Peer, List<HitKey>> byOwner = new LinkedHashMap<>();
    for (HitKey key : buckets.keys(key -> topology.ownerOf(key) != null)) {
      Peer owner = topology.ownerOf(key);
      if (owner != null) {
        byOwner.computeIfAbsent(owner, peer -> new ArrayList<>()).add(key);
      }
    }
    return byOwner;
  }

  private CompletableFuture<Void> sendAll(Topology topology, Map<Peer, List<HitKey>> byOwner) {
    List<CompletableFuture<Void>> lines = new ArrayList<>();
    byOwner.forEach((peer, keys) -> lines.add(sendFrom(topology, peer, keys, 0)));
    for (Peer peer : topology.localPeers()) {
      if (!byOwner.containsKey(peer)) {
        lines.add(sendDone(topology, peer));
      }
    }
    return CompletableFuture.allOf(lines.toArray(CompletableFuture[]::new));
  }

  private CompletableFuture<Void> sendFrom(
      Topology topology, Peer peer, List<HitKey> keys, int from) {
    if (from >= keys.size()) {
      return sendDone(topology, peer);
    }
    int to = Math.min(keys.size(), from + BATCH);
    return sendBatch(topology, peer, keys.subList(from, to))
        .thenCompose(arrived -> sendFrom(topology, peer, keys, to));
  }

  private CompletableFuture<Void> sendBatch(Topology topology, Peer peer, List<HitKey> keys) {
    CompletableFuture<Void> arrival = new CompletableFuture<>();
    Map<HitKey, BucketState> states = new LinkedHashMap<>();
    HandOverRequest.Builder message =
        HandOverRequest.newBuilder().setFrom(self).setRing(topology.fingerprint());
    for (HitKey key : keys) {
      moving.put(key, arrival); // before it is gone, so that nobody finds it nowhere
      BucketState state = buckets.take(key, millis.getAsLong());
      if (state != null) {
        states.put(key, state);
        message.addEntries(
            HandOverRequest.Entry.newBuilder()
                .setName(key.name())
                .setUniqueKey(key.key())
                .setState(Wire.message(state)));
      }
    }
    HandOverRequest request = message.setBatch(ids.next()).build();
    return send(peer, request, 1)
        .thenAccept(
            arrived -> {
              if (arrived) {
                moved.add(states.size());
              } else {
                failed.add(states.size());
                states.forEach((key, state) -> buckets.merge(key, state, millis.getAsLong()));
              }
              keys.forEach(moving::remove);
              arrival.complete(null);
            });
  }

  private CompletableFuture<Void> sendDone(Topology topology, Peer peer) {
    HandOverRequest done =
        HandOverRequest.newBuilder()
            .setFrom(self)
            .setRing(topology.fingerprint())
            .setDone(true)
            .setBatch(ids.next())
            .build();
    int run = runs;
    return send(peer, done, 1)
        .thenAccept(
            arrived -> {
              if (!arrived) {
                tellLater(peer, done, run, LATER_TRIES);
              }
            });
  }

  /**
   * A node that starts at this moment hears of it as soon as it listens, unless the ring changes.
   */
  private void tellLater(Peer peer, HandOverRequest done, int run, int tries) {
    if (tries == 0 || run != runs) {
      return;
    }
    scheduler.schedule(
        () ->
            send(peer, done, TRIES)
                .thenAccept(
                    arrived -> {
                      if (!arrived) {
                        tellLater(peer, done, run, tries - 1);
                      }
                    }),
        RETRY_MILLIS,
        TimeUnit.MILLISECONDS);
  }

  /** Whether the peer has taken it. */
  private CompletableFuture<Boolean> send(Peer peer, HandOverRequest request, int tries) {
    CompletableFuture<Boolean> result = new CompletableFuture<>();
    peer.handOver(
        request,
        TIMEOUT_NANOS,
        new Peer.Outcome<>() {
          @Override
          public void answered(HandOverResponse response) {
            result.complete(true);
          }

          @Override
          public void failed(Status status) {
            if (tries < TRIES && status.getCode() != Status.Code.UNIMPLEMENTED) {
              scheduler.schedule(
                  () -> send(peer, request, tries + 1).thenAccept(result::complete),
                  RETRY_MILLIS,
                  TimeUnit.MILLISECONDS);
            } else {
              result.complete(false);
            }
          }
        });
    return result;
  }
}
