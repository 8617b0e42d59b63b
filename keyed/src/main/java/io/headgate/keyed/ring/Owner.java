package io.headgate.keyed.ring;

import io.grpc.Status;
import io.headgate.core.hits.BucketState;
import io.headgate.keyed.ring.bucket.BucketMap;
import io.headgate.keyed.ring.bucket.HitKey;
import io.headgate.keyed.ring.cluster.Cluster;
import io.headgate.keyed.ring.cluster.HandOver;
import io.headgate.keyed.ring.cluster.Topology;
import io.headgate.keyed.ring.peer.Peer;
import io.headgate.keyed.ring.peer.Replies;
import io.headgate.protocol.gubernator.GetPeerRateLimitsReq;
import io.headgate.protocol.gubernator.RateLimitResp;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** This node as the owner of keys. */
final class Owner {

  /** What a former owner answers that has given the bucket away. */
  static final String MOVED = "moved";

  private final Cluster cluster;
  private final BucketMap buckets;
  private final BucketMap replicas;
  private final Counts counts;
  private final HandOver handOver;
  private final RingStats stats;
  private final LongSupplier millis;

  Owner(
      Cluster cluster,
      BucketMap buckets,
      BucketMap replicas,
      Counts counts,
      HandOver handOver,
      RingStats stats,
      LongSupplier millis) {
    this.cluster = cluster;
    this.buckets = buckets;
    this.replicas = replicas;
    this.counts = counts;
    this.handOver = handOver;
    this.stats = stats;
    this.millis = millis;
  }

  long now() {
    return millis.getAsLong();
  }

  Topology topology() {
    return cluster.topology();
  }

  /** Whether this node owned a key before the last change of the ring. */
  boolean hasOwned(Topology topology, HitKey key) {
    return topology.wasOwnedBy(cluster.self().grpcAddress(), key);
  }

  /** Counts hits if they are there, whoever the owner is. */
  RateLimitResp countNow(Question question) {
    return counts.hit(question);
  }

  /**
   * Counts as the owner; but as long as buckets are on their way, whoever owned the key before may
   * have its bucket, and counts.
   *
   * @return the answer, or null if it is given to {@code later}
   */
  @Nullable RateLimitResp count(
      Topology topology, Question question, Consumer<RateLimitResp> later) {
    Peer former = topology.formerOwnerOf(question.key(), question.now());
    return count(former, topology, question, later);
  }

  /**
   * Counts unless another node has the bucket and counts.
   *
   * @param former who may have it if there is none here; null if nobody may
   * @return the answer, or null if it is given to {@code later}
   */
  @Nullable RateLimitResp count(
      @Nullable Peer former, Topology topology, Question question, Consumer<RateLimitResp> later) {
    stats.add(RingStats.Event.LOCAL);
    if (former == null || buckets.contains(question.key(), question.now())) {
      return countHere(topology, question, later);
    }
    former.sendAlone(
        GetPeerRateLimitsReq.newBuilder().addRequests(question.request()).setAsFormerOwner(true),
        new Replies() {
          @Override
          public void answered(int place, RateLimitResp response) {
            if (MOVED.equals(response.getError())) {
              countHereLater(topology, question, later);
            } else {
              later.accept(response);
            }
          }

          @Override
          public void failed(int place, Status status) {
            adoptReplica(question);
            countHereLater(topology, question, later);
          }
        },
        0);
    return null;
  }

  private void countHereLater(Topology topology, Question question, Consumer<RateLimitResp> later) {
    RateLimitResp response = countHere(topology, question, later);
    if (response != null) {
      later.accept(response);
    }
  }

  /**
   * Counts, unless the ring has changed since it was asked who the owner is: then the bucket may
   * have left by now, and a hit in a new one would be lost to it.
   */
  private @Nullable RateLimitResp countHere(
      Topology topology, Question question, Consumer<RateLimitResp> later) {
    RateLimitResp response = counts.hit(topology, question);
    if (response != null) {
      return response;
    }
    Topology present = cluster.topology();
    Peer owner = present.ownerOf(question.key());
    return owner == null
        ? count(present, question, later)
        : countIfStillHere(question, () -> passOn(owner, question, later), later);
  }

  /** Has the owner count for whoever has not heard of a change of the ring yet. */
  void passOn(Peer owner, Question question, Consumer<RateLimitResp> later) {
    owner.sendAlone(
        GetPeerRateLimitsReq.newBuilder().addRequests(question.request()).setPassedOn(true),
        new Replies() {
          @Override
          public void answered(int place, RateLimitResp response) {
            later.accept(response);
          }

          @Override
          public void failed(int place, Status status) {
            later.accept(counts.hit(question));
          }
        },
        0);
  }

  /**
   * Counts for another owner as long as its bucket has not left this node. Nobody else does until
   * then: the owner asks here, if it knows by now that it is the owner.
   *
   * @param moved called instead if there is no bucket here: at once, or when it has arrived there
   * @param later takes the answer if the bucket was on its way and came back
   * @return the answer; null if {@code moved} or {@code later} is called
   */
  @Nullable RateLimitResp countIfStillHere(
      Question question, Runnable moved, Consumer<RateLimitResp> later) {
    if (handOver.isRunning()) {
      RateLimitResp response = counts.hitIfPresent(question);
      if (response != null) {
        return response;
      }
      CompletableFuture<Void> arrival = handOver.arrival(question.key());
      if (arrival != null) {
        arrival.whenComplete(
            (arrived, failure) -> {
              RateLimitResp kept = countIfStillHere(question, moved, later);
              if (kept != null) {
                later.accept(kept);
              }
            });
        return null;
      }
    }
    moved.run();
    return null;
  }

  /** Whether this node may hold buckets that others own. */
  boolean isHandingOver() {
    return handOver.isRunning();
  }

  /**
   * The former owner is gone: what it said last of a key that all nodes answer for still counts.
   */
  private void adoptReplica(Question question) {
    BucketState state = replicas.take(question.key(), question.now());
    if (state != null && !buckets.contains(question.key(), question.now())) {
      buckets.merge(question.key(), state, question.now());
    }
  }
}
