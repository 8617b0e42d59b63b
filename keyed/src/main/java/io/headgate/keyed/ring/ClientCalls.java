package io.headgate.keyed.ring;

import io.grpc.Status;
import io.headgate.core.hits.Behavior;
import io.headgate.core.hits.HitAnswer;
import io.headgate.core.hits.HitRequest;
import io.headgate.core.hits.InvalidRequestException;
import io.headgate.keyed.ring.bucket.HitKey;
import io.headgate.keyed.ring.bucket.Wire;
import io.headgate.keyed.ring.cluster.Topology;
import io.headgate.keyed.ring.global.Replicas;
import io.headgate.keyed.ring.peer.Peer;
import io.headgate.keyed.ring.peer.PeerErrors;
import io.headgate.keyed.ring.peer.Replies;
import io.headgate.protocol.gubernator.GetPeerRateLimitsReq;
import io.headgate.protocol.gubernator.RateLimitReq;
import io.headgate.protocol.gubernator.RateLimitResp;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Answers clients: counts what this node owns, passes on what others own, and answers for them
 * where it may.
 */
final class ClientCalls {

  private static final String OWNER = "owner";
  private static final String DEGRADED = "degraded";
  private static final String GLOBAL_ERROR =
      "Error in getGlobalRateLimit: during in getLocalRateLimit: ";

  private final RingSettings settings;
  private final Owner self;
  private final Replicas replicas;
  private final RingStats stats;

  ClientCalls(RingSettings settings, Owner self, Replicas replicas, RingStats stats) {
    this.settings = settings;
    this.self = self;
    this.replicas = replicas;
    this.stats = stats;
  }

  /** Counts hits and answers for each request, in their order. */
  void check(List<RateLimitReq> requests, Consumer<List<RateLimitResp>> done) {
    new ClientCall(new Call(requests, done)).run();
  }

  private final class ClientCall implements Replies {
    private final Call call;
    private final long now = self.now();
    private final Topology topology = self.topology();
    private @Nullable Peer @Nullable [] owners; // only where others own
    private @Nullable List<Peer> asked;

    ClientCall(Call call) {
      this.call = call;
    }

    void run() {
      int answered = 1;
      for (int place = 0; place < call.size(); place++) {
        RateLimitResp response = ask(place);
        if (response != null) {
          call.answerHere(place, response);
          answered++;
        }
      }
      if (asked != null) {
        asked.forEach(Peer::flush);
      }
      call.close(answered);
    }

    /** The answer, or null if it comes later. */
    private @Nullable RateLimitResp ask(int place) {
      RateLimitReq request = call.request(place);
      if (request.getUniqueKey().isEmpty()) {
        stats.add(RingStats.Event.INVALID);
        return Wire.error("field 'unique_key' cannot be empty");
      }
      if (request.getName().isEmpty()) {
        stats.add(RingStats.Event.INVALID);
        return Wire.error("field 'namespace' cannot be empty");
      }
      HitKey key = Wire.key(request);
      int behavior = request.getBehaviorValue();
      if (settings.forceGlobal()) {
        behavior |= Behavior.GLOBAL;
      }
      if (topology.isEmpty()) {
        return Wire.error(
            "Error in GetPeer, looking up peer that owns rate limit '"
                + key
                + "': Error in conf.LocalPicker.Get: unable to pick a peer; pool is empty");
      }
      Peer owner = topology.ownerOf(key);
      if (owner == null) {
        return self.count(
            topology,
            new Question(key, request, behavior, now, localError(key)),
            response -> call.answer(place, response));
      }
      if (Behavior.has(behavior, Behavior.GLOBAL)) {
        return answerFor(owner, key, request, behavior);
      }
      if (self.isHandingOver()) {
        return self.countIfStillHere(
            new Question(key, request, behavior, now, localError(key)),
            () -> forwardAlone(owner, request, place),
            response -> call.answer(place, response));
      }
      forward(owner, request, behavior, place);
      return null;
    }

    private void forwardAlone(Peer owner, RateLimitReq request, int place) {
      stats.add(RingStats.Event.FORWARDED);
      asks(place, owner);
      owner.sendAlone(GetPeerRateLimitsReq.newBuilder().addRequests(request), this, place);
    }

    /** Answers may come while other items are still given out. */
    private synchronized void asks(int place, Peer owner) {
      if (owners == null) {
        owners = new @Nullable Peer[call.size()];
      }
      owners[place] = owner;
    }

    private RateLimitResp answerFor(Peer owner, HitKey key, RateLimitReq message, int behavior) {
      stats.add(RingStats.Event.GLOBAL);
      try {
        HitRequest request = Wire.request(message, behavior, now);
        HitAnswer answer = replicas.hit(key, request, now);
        return owned(Wire.message(answer), owner);
      } catch (InvalidRequestException e) {
        stats.add(RingStats.Event.UNCOUNTABLE);
        return Wire.error(GLOBAL_ERROR + Counts.error(message, e));
      }
    }

    private void forward(Peer owner, RateLimitReq request, int behavior, int place) {
      stats.add(RingStats.Event.FORWARDED);
      asks(place, owner);
      if (!settings.batching() || Behavior.has(behavior, Behavior.NO_BATCHING)) {
        owner.sendAlone(GetPeerRateLimitsReq.newBuilder().addRequests(request), this, place);
        return;
      }
      if (asked == null) {
        asked = new ArrayList<>(2);
      }
      if (!asked.contains(owner)) {
        asked.add(owner);
      }
      owner.enqueue(request, this, place);
    }

    private synchronized Peer ownerOf(int place) {
      Peer owner = owners == null ? null : owners[place];
      if (owner == null) {
        throw new IllegalStateException("no owner was asked for the request at " + place);
      }
      return owner;
    }

    @Override
    public void answered(int place, RateLimitResp response) {
      call.answer(place, owned(response, ownerOf(place)));
    }

    /**
     * The owner has left while it was asked: whoever owns the key now counts; whether there is one.
     */
    private boolean askNewOwner(int place, RateLimitReq request) {
      HitKey key = Wire.key(request);
      Topology present = self.topology();
      Peer owner = present.ownerOf(key);
      if (present.isEmpty() || owner == ownerOf(place)) {
        return false;
      }
      if (owner != null) {
        asks(place, owner);
        owner.sendAlone(GetPeerRateLimitsReq.newBuilder().addRequests(request), this, place);
        return true;
      }
      int behavior = request.getBehaviorValue();
      Question question = new Question(key, request, behavior, self.now(), localError(key));
      RateLimitResp response = self.count(present, question, later -> call.answer(place, later));
      if (response != null) {
        call.answer(place, response);
      }
      return true;
    }

    @Override
    public void failed(int place, Status status) {
      RateLimitReq request = call.request(place);
      if (status.getCode() == Status.Code.UNAVAILABLE && askNewOwner(place, request)) {
        return;
      }
      stats.add(RingStats.Event.UNREACHABLE);
      if (settings.whenUnreachable() == WhenUnreachable.LOCAL) {
        stats.add(RingStats.Event.DEGRADED);
        HitKey key = Wire.key(request);
        RateLimitResp local =
            self.countNow(
                new Question(
                    key, request, request.getBehaviorValue(), self.now(), localError(key)));
        call.answer(
            place,
            local.toBuilder()
                .putMetadata(OWNER, ownerOf(place).info().grpcAddress())
                .putMetadata(DEGRADED, "owner unreachable")
                .build());
        return;
      }
      boolean alone =
          !settings.batching() || Behavior.has(request.getBehaviorValue(), Behavior.NO_BATCHING);
      String where =
          alone
              ? "Error in GetPeerRateLimits: "
              : "Error in getPeerRateLimitsBatch: Request error: ";
      call.answer(
          place,
          Wire.error(
              "while fetching rate limit '"
                  + Wire.key(request)
                  + "' from peer: "
                  + where
                  + "Error in client.GetPeerRateLimits: "
                  + PeerErrors.describe(status)));
    }
  }

  private static RateLimitResp owned(RateLimitResp response, Peer owner) {
    return response.toBuilder()
        .clearMetadata()
        .putMetadata(OWNER, owner.info().grpcAddress())
        .build();
  }

  private static String localError(HitKey key) {
    return "Error while apply rate limit for '" + key + "': ";
  }
}
