package io.headgate.keyed.ring;

import io.grpc.BindableService;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.headgate.keyed.ring.peer.PeerSettings;
import io.headgate.protocol.gubernator.GetPeerRateLimitsReq;
import io.headgate.protocol.gubernator.GetPeerRateLimitsResp;
import io.headgate.protocol.gubernator.GetRateLimitsReq;
import io.headgate.protocol.gubernator.GetRateLimitsResp;
import io.headgate.protocol.gubernator.HealthCheckReq;
import io.headgate.protocol.gubernator.HealthCheckResp;
import io.headgate.protocol.gubernator.LiveCheckReq;
import io.headgate.protocol.gubernator.LiveCheckResp;
import io.headgate.protocol.gubernator.PeersV1Grpc;
import io.headgate.protocol.gubernator.UpdatePeerGlobalsReq;
import io.headgate.protocol.gubernator.UpdatePeerGlobalsResp;
import io.headgate.protocol.gubernator.V1Grpc;
import io.headgate.protocol.ring.v1.DecideRequest;
import io.headgate.protocol.ring.v1.DecideResponse;
import io.headgate.protocol.ring.v1.GiveBackRequest;
import io.headgate.protocol.ring.v1.GiveBackResponse;
import io.headgate.protocol.ring.v1.HandOverRequest;
import io.headgate.protocol.ring.v1.HandOverResponse;
import io.headgate.protocol.ring.v1.RingGrpc;
import java.util.List;

/**
 * The gRPC services of a node. Nothing in them blocks, so that they need no threads of their own.
 */
final class RingServices {

  private final RingNode node;
  private final NodeHealth health;

  RingServices(RingNode node, NodeHealth health) {
    this.node = node;
    this.health = health;
  }

  List<BindableService> all() {
    return List.of(new Clients(), new Peers(), new Moves());
  }

  private final class Clients extends V1Grpc.V1ImplBase {
    @Override
    public void getRateLimits(
        GetRateLimitsReq request, StreamObserver<GetRateLimitsResp> observer) {
      if (request.getRequestsCount() > PeerSettings.MAX_BATCH) {
        node.stats().add(RingStats.Event.TOO_LARGE);
        observer.onError(tooLarge("Requests.RateLimits list too large; max size is '1000'"));
        return;
      }
      heedless(observer);
      node.clients()
          .check(
              request.getRequestsList(),
              answers ->
                  answer(
                      observer, GetRateLimitsResp.newBuilder().addAllResponses(answers).build()));
    }

    @Override
    public void healthCheck(HealthCheckReq request, StreamObserver<HealthCheckResp> observer) {
      HealthCheckResp response = health.check();
      if (NodeHealth.isHealthy(response)) {
        answer(observer, response);
      } else {
        observer.onError(
            Status.UNAVAILABLE.withDescription(response.getMessage()).asRuntimeException());
      }
    }

    @Override
    public void liveCheck(LiveCheckReq request, StreamObserver<LiveCheckResp> observer) {
      if (health.isClosing()) {
        observer.onError(
            Status.UNAVAILABLE.withDescription("server is shutting down").asRuntimeException());
      } else {
        answer(observer, LiveCheckResp.getDefaultInstance());
      }
    }
  }

  private final class Peers extends PeersV1Grpc.PeersV1ImplBase {
    @Override
    public void getPeerRateLimits(
        GetPeerRateLimitsReq request, StreamObserver<GetPeerRateLimitsResp> observer) {
      if (request.getRequestsCount() > PeerSettings.MAX_BATCH) {
        node.stats().add(RingStats.Event.TOO_LARGE);
        observer.onError(tooLarge("'PeerRequest.rate_limits' list too large; max size is '1000'"));
        return;
      }
      heedless(observer);
      node.peers().check(request).thenAccept(response -> answer(observer, response));
    }

    @Override
    public void updatePeerGlobals(
        UpdatePeerGlobalsReq request, StreamObserver<UpdatePeerGlobalsResp> observer) {
      node.update(request);
      answer(observer, UpdatePeerGlobalsResp.getDefaultInstance());
    }
  }

  private final class Moves extends RingGrpc.RingImplBase {
    @Override
    public void handOver(HandOverRequest request, StreamObserver<HandOverResponse> observer) {
      node.peers().takeOver(request);
      answer(observer, HandOverResponse.getDefaultInstance());
    }

    @Override
    public void decide(DecideRequest request, StreamObserver<DecideResponse> observer) {
      try {
        answer(observer, node.decisions().decide(request));
      } catch (IllegalArgumentException | ArithmeticException e) {
        observer.onError(
            Status.INVALID_ARGUMENT.withDescription(e.getMessage()).asRuntimeException());
      }
    }

    @Override
    public void giveBack(GiveBackRequest request, StreamObserver<GiveBackResponse> observer) {
      node.decisions().giveBack(request.getId());
      answer(observer, GiveBackResponse.getDefaultInstance());
    }
  }

  private static RuntimeException tooLarge(String message) {
    return Status.OUT_OF_RANGE.withDescription(message).asRuntimeException();
  }

  /** Without a handler, an answer to a caller that has gone would be an error here. */
  private static void heedless(StreamObserver<?> observer) {
    if (observer instanceof ServerCallStreamObserver<?> call) {
      call.setOnCancelHandler(() -> {});
    }
  }

  private static <T> void answer(StreamObserver<T> observer, T response) {
    observer.onNext(response);
    observer.onCompleted();
  }
}
