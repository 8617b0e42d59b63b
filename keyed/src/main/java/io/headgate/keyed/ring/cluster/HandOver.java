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
import java.time.Duration;
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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives buckets to their new owners when the ring changes. A bucket counts in one place at a time:
 * here, until it is taken out to be sent; there, once it has arrived; between the two, whoever asks
 * for it waits. What cannot be sent stays here, counts here, and is sent again until new owners ask
 * no more; before it has arrived they are not told that all has.
 */
public final class HandOver {

  private static final int BATCH = 500;
  private static final int TRIES = 3;
  private static final long RETRY_MILLIS = 50;
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final BucketMap buckets;
  private final String self;
  private final BatchIds ids;
  private final ScheduledExecutorService scheduler;
  private final LongSupplier millis;
  private final long longestMillis;
  private final Map<HitKey, CompletableFuture<Void>> moving = new ConcurrentHashMap<>();
  private final AtomicInteger runs = new AtomicInteger();
  private final AtomicInteger running = new AtomicInteger();
  private final LongAdder moved = new LongAdder();
  private final LongAdder failed = new LongAdder();

  /**
   * Creates one.
   *
   * @param self the gRPC address of this node
   * @param scheduler where buckets are gathered, and what failed is tried again
   * @param longest how long new owners ask this node
   */
  public HandOver(
      BucketMap buckets,
      String self,
      BatchIds ids,
      ScheduledExecutorService scheduler,
      LongSupplier millis,
      Duration longest) {
    this.buckets = buckets;
    this.self = self;
    this.ids = ids;
    this.scheduler = scheduler;
    this.millis = millis;
    longestMillis = longest.toMillis();
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
    Run run = new Run(topology, runs.incrementAndGet(), millis.getAsLong() + longestMillis);
    return CompletableFuture.supplyAsync(() -> gather(topology), scheduler)
        .thenCompose(run::sendAll)
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

  /** What became of a message. */
  private enum Outcome {
    TAKEN,
    FAILED,
    /** The peer takes no buckets over: it is one of Gubernator's. */
    UNKNOWN_THERE
  }

  /** What one change of the ring makes necessary. */
  private final class Run {
    private final Topology topology;
    private final int number;
    private final long endMillis;

    Run(Topology topology, int number, long endMillis) {
      this.topology = topology;
      this.number = number;
      this.endMillis = endMillis;
    }

    CompletableFuture<Void> sendAll(Map<Peer, List<HitKey>> byOwner) {
      List<CompletableFuture<Void>> lines = new ArrayList<>();
      byOwner.forEach((peer, keys) -> lines.add(sendFrom(peer, keys, 0)));
      for (Peer peer : topology.localPeers()) {
        if (!byOwner.containsKey(peer)) {
          lines.add(sendDone(peer));
        }
      }
      return CompletableFuture.allOf(lines.toArray(CompletableFuture[]::new));
    }

    /** The ring has not changed again, and new owners still ask. */
    private boolean matters() {
      return number == runs.get() && millis.getAsLong() < endMillis;
    }

    private CompletableFuture<Void> sendFrom(Peer peer, List<HitKey> keys, int from) {
      if (from >= keys.size()) {
        return sendDone(peer);
      }
      int to = Math.min(keys.size(), from + BATCH);
      List<HitKey> batch = keys.subList(from, to);
      return sendBatch(peer, batch)
          .thenCompose(
              outcome -> {
                if (outcome == Outcome.FAILED && matters()) {
                  return later(() -> sendFrom(peer, keys, from));
                }
                if (outcome != Outcome.TAKEN) {
                  failed.add(batch.size());
                }
                return sendFrom(peer, keys, to);
              });
    }

    private CompletableFuture<Outcome> sendBatch(Peer peer, List<HitKey> keys) {
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
          .thenApply(
              outcome -> {
                if (outcome == Outcome.TAKEN) {
                  moved.add(states.size());
                } else {
                  states.forEach((key, state) -> buckets.merge(key, state, millis.getAsLong()));
                }
                keys.forEach(moving::remove);
                arrival.complete(null);
                return outcome;
              });
    }

    private CompletableFuture<Void> sendDone(Peer peer) {
      HandOverRequest done =
          HandOverRequest.newBuilder()
              .setFrom(self)
              .setRing(topology.fingerprint())
              .setDone(true)
              .setBatch(ids.next())
              .build();
      return send(peer, done, 1)
          .thenAccept(
              outcome -> {
                if (outcome == Outcome.FAILED) {
                  tellLater(peer, done);
                }
              });
    }

    /**
     * A node that starts at this moment hears of it as soon as it listens, unless the ring changes.
     */
    private void tellLater(Peer peer, HandOverRequest done) {
      if (matters()) {
        later(() -> send(peer, done, TRIES))
            .thenAccept(
                outcome -> {
                  if (outcome == Outcome.FAILED) {
                    tellLater(peer, done);
                  }
                });
      }
    }
  }

  private <T> CompletableFuture<T> later(Supplier<CompletableFuture<T>> step) {
    CompletableFuture<T> result = new CompletableFuture<>();
    scheduler.schedule(
        () -> step.get().thenAccept(result::complete), RETRY_MILLIS, TimeUnit.MILLISECONDS);
    return result;
  }

  private CompletableFuture<Outcome> send(Peer peer, HandOverRequest request, int tries) {
    CompletableFuture<Outcome> result = new CompletableFuture<>();
    peer.handOver(
        request,
        TIMEOUT_NANOS,
        new Peer.Outcome<>() {
          @Override
          public void answered(HandOverResponse response) {
            result.complete(Outcome.TAKEN);
          }

          @Override
          public void failed(Status status) {
            if (status.getCode() == Status.Code.UNIMPLEMENTED) {
              result.complete(Outcome.UNKNOWN_THERE);
            } else if (tries < TRIES) {
              later(() -> send(peer, request, tries + 1)).thenAccept(result::complete);
            } else {
              result.complete(Outcome.FAILED);
            }
          }
        });
    return result;
  }
}
