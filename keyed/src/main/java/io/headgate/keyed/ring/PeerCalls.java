package io.headgate.keyed.ring;

import io.headgate.core.hits.Behavior;
import io.headgate.core.hits.BucketState;
import io.headgate.keyed.ring.bucket.BucketMap;
import io.headgate.keyed.ring.bucket.HitKey;
import io.headgate.keyed.ring.bucket.Wire;
import io.headgate.keyed.ring.cluster.Cluster;
import io.headgate.keyed.ring.cluster.Topology;
import io.headgate.keyed.ring.global.AdmittedBatches;
import io.headgate.keyed.ring.peer.Peer;
import io.headgate.protocol.gubernator.GetPeerRateLimitsReq;
import io.headgate.protocol.gubernator.GetPeerRateLimitsResp;
import io.headgate.protocol.gubernator.RateLimitReq;
import io.headgate.protocol.gubernator.RateLimitResp;
import io.headgate.protocol.ring.v1.BatchId;
import io.headgate.protocol.ring.v1.HandOverRequest;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Answers other nodes. */
final class PeerCalls {

  private static final String PEER_ERROR = "Error in getLocalRateLimit: ";
  private static final long KEEP_BATCHES_MILLIS = 2_000;
  private static final long KEEP_HAND_OVERS_MILLIS = 10_000;

  private final Cluster cluster;
  private final Owner self;
  private final Counts counts;
  private final BucketMap buckets;
  private final AdmittedBatches admitted;
  private final RingStats stats;
  private final RecentBatches<CompletableFuture<GetPeerRateLimitsResp>> recent =
      new RecentBatches<>(KEEP_BATCHES_MILLIS);
  private final RecentBatches<Boolean> handOvers = new RecentBatches<>(KEEP_HAND_OVERS_MILLIS);

  PeerCalls(
      Cluster cluster,
      Owner self,
      Counts counts,
      BucketMap buckets,
      AdmittedBatches admitted,
      RingStats stats) {
    this.cluster = cluster;
    this.self = self;
    this.counts = counts;
    this.buckets = buckets;
    this.admitted = admitted;
    this.stats = stats;
  }

  /** Counts hits that a peer passes on, and answers for each, in their order. */
  CompletableFuture<GetPeerRateLimitsResp> check(GetPeerRateLimitsReq message) {
    CompletableFuture<GetPeerRateLimitsResp> answer = new CompletableFuture<>();
    if (message.hasBatch() && !message.getAdmitted()) {
      CompletableFuture<GetPeerRateLimitsResp> before =
          recent.begin(message.getBatch(), answer, self.now());
      if (before != null) {
        stats.add(RingStats.Event.REPEATED);
        return before;
      }
    }
    if (message.getAdmitted()) {
      answer.complete(charge(message));
      return answer;
    }
    Call call =
        new Call(
            message.getRequestsList(),
            responses ->
                answer.complete(
                    GetPeerRateLimitsResp.newBuilder()
                        .addAllRateLimits(responses)
                        .setCountsOnce(true)
                        .build()));
    int answered = 1;
    long now = self.now();
    Topology topology = self.topology();
    for (int i = 0; i < call.size(); i++) {
      int place = i;
      RateLimitResp response =
          askForPeer(topology, message, call.request(i), now, late -> call.answer(place, late));
      if (response != null) {
        call.answerHere(place, response);
        answered++;
      }
    }
    call.close(answered);
    return answer;
  }

  private GetPeerRateLimitsResp charge(GetPeerRateLimitsReq message) {
    GetPeerRateLimitsResp.Builder response = GetPeerRateLimitsResp.newBuilder().setCountsOnce(true);
    BatchId id = message.getBatch();
    if (message.hasBatch() && !admitted.begin(id)) {
      stats.add(RingStats.Event.REPEATED);
      message.getRequestsList().forEach(request -> response.addRateLimitsBuilder());
      return response.build();
    }
    long now = self.now();
    for (RateLimitReq request : message.getRequestsList()) {
      response.addRateLimits(counts.charge(Wire.key(request), request, now));
    }
    if (message.hasBatch()) {
      admitted.counted(id);
    }
    return response.build();
  }

  private @Nullable RateLimitResp askForPeer(
      Topology topology,
      GetPeerRateLimitsReq message,
      RateLimitReq request,
      long now,
      Consumer<RateLimitResp> later) {
    HitKey key = Wire.key(request);
    int behavior = request.getBehaviorValue();
    Peer owner = topology.ownerOf(key);
    boolean drains = Behavior.has(behavior, Behavior.GLOBAL); // what Gubernator's nodes expect
    Question question =
        new Question(
            key,
            request,
            drains ? behavior | Behavior.DRAIN_OVER_LIMIT : behavior,
            now,
            PEER_ERROR);
    if (message.getAsFormerOwner()) {
      RateLimitResp response = owner == null ? counts.hit(topology, question) : null;
      return response != null
          ? response
          : self.countIfStillHere(question, () -> later.accept(Wire.error(Owner.MOVED)), later);
    }
    if (owner == null) {
      return self.count(topology, question, later);
    }
    // Who asks a node that never owned a key has heard of a change of the ring before it: the owner
    // that this node knows is the former one.
    if (message.getPassedOn() || !self.hasOwned(topology, key)) {
      return self.count(owner, topology, question, later);
    }
    return self.countIfStillHere(question, () -> self.passOn(owner, question, later), later);
  }

  /** Takes buckets over that are this node's own by now, or soon. */
  void takeOver(HandOverRequest message) {
    long now = self.now();
    if (message.hasBatch() && handOvers.begin(message.getBatch(), true, now) != null) {
      stats.add(RingStats.Event.REPEATED);
      return;
    }
    for (HandOverRequest.Entry entry : message.getEntriesList()) {
      BucketState state = Wire.state(entry.getState());
      if (state != null) {
        buckets.merge(new HitKey(entry.getName(), entry.getUniqueKey()), state, now);
      }
    }
    if (message.getDone()) {
      cluster.handedOver(message.getFrom(), message.getRing());
    }
  }
}
