package io.headgate.envoy.ratelimit;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.headgate.envoy.ratelimit.stats.RateLimitStats.Event;
import java.util.concurrent.TimeUnit;

/** {@code envoy.service.ratelimit.v3.RateLimitService} on gRPC. Holds up no thread. */
public final class RateLimitGrpc extends RateLimitServiceGrpc.RateLimitServiceImplBase {

  private final RateLimitService service;

  /** The gRPC side of a service. */
  public RateLimitGrpc(RateLimitService service) {
    this.service = service;
  }

  @Override
  public void shouldRateLimit(
      RateLimitRequest request, StreamObserver<RateLimitResponse> observer) {
    ServerCallStreamObserver<RateLimitResponse> call =
        (ServerCallStreamObserver<RateLimitResponse>) observer;
    Deadline deadline = Context.current().getDeadline();
    long left = deadline == null ? Long.MAX_VALUE : deadline.timeRemaining(TimeUnit.NANOSECONDS);
    if (left <= 0 || call.isCancelled()) {
      service.stats().count(Event.EXPIRED);
      return; // gRPC has ended the call
    }
    call.setOnCancelHandler(() -> {}); // so that an answer that comes too late is no error
    try {
      service
          .decide(request, left)
          .whenComplete((response, failure) -> end(call, response, failure));
    } catch (RateLimitService.InvalidRequest e) {
      call.onError(Status.INVALID_ARGUMENT.withDescription(e.getMessage()).asRuntimeException());
    }
  }

  private void end(
      ServerCallStreamObserver<RateLimitResponse> call,
      RateLimitResponse response,
      Throwable failure) {
    if (call.isCancelled()) {
      service.stats().count(Event.EXPIRED);
    } else if (failure == null) {
      call.onNext(response);
      call.onCompleted();
    } else {
      service.stats().count(Event.FAILED);
      call.onError(Status.INTERNAL.withCause(failure).asRuntimeException());
    }
  }
}
