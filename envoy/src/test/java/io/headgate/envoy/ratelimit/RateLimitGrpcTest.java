package io.headgate.envoy.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.grpc.Context;
import io.grpc.stub.ServerCallStreamObserver;
import io.headgate.envoy.ratelimit.rules.RateLimitRules;
import io.headgate.envoy.ratelimit.stats.RateLimitStats;
import io.headgate.envoy.ratelimit.stats.RateLimitStats.Event;
import io.headgate.keyed.local.LocalKeyedLimiter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls that nobody waits for any more. */
class RateLimitGrpcTest {

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final RateLimitStats stats = new RateLimitStats();
  private final RateLimitGrpc grpc =
      new RateLimitGrpc(
          new RateLimitService(
              () -> RateLimitRules.NONE,
              LocalKeyedLimiter.create(),
              ServiceSettings.DEFAULT,
              stats,
              System::nanoTime,
              System::currentTimeMillis,
              timer));

  @AfterEach
  void end() {
    timer.shutdownNow();
  }

  /** Keeps what it is told, whether it is cancelled or not. */
  private static final class Call extends ServerCallStreamObserver<RateLimitResponse> {
    private final List<RateLimitResponse> answers = new ArrayList<>();
    private final boolean cancelled;

    Call(boolean cancelled) {
      this.cancelled = cancelled;
    }

    @Override
    public void onNext(RateLimitResponse response) {
      answers.add(response);
    }

    @Override
    public void onError(Throwable failure) {
      throw new AssertionError(failure);
    }

    @Override
    public void onCompleted() {}

    @Override
    public boolean isCancelled() {
      return cancelled;
    }

    @Override
    public void setOnCancelHandler(Runnable handler) {}

    @Override
    public void setCompression(String compression) {}

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setOnReadyHandler(Runnable handler) {}

    @Override
    public void disableAutoInboundFlowControl() {}

    @Override
    public void request(int count) {}

    @Override
    public void setMessageCompression(boolean enable) {}
  }

  @Test
  void aCancelledCallCostsNothing() {
    Call call = new Call(true);
    grpc.shouldRateLimit(RateLimitRequest.getDefaultInstance(), call);

    assertThat(call.answers).isEmpty();
    assertThat(stats.total(Event.EXPIRED)).isEqualTo(1);
    assertThat(stats.total(Event.INVALID)).as("it was not looked at").isZero();
  }

  @Test
  void aCallWhoseTimeIsOverCostsNothing() {
    Call call = new Call(false);
    Context.current()
        .withDeadlineAfter(-1, TimeUnit.NANOSECONDS, timer)
        .run(() -> grpc.shouldRateLimit(RateLimitRequest.getDefaultInstance(), call));

    assertThat(call.answers).isEmpty();
    assertThat(stats.total(Event.EXPIRED)).isEqualTo(1);
  }

  @Test
  void anyOtherCallIsAnswered() {
    Call call = new Call(false);
    grpc.shouldRateLimit(request(), call);

    assertThat(call.answers).hasSize(1);
    assertThat(stats.total(Event.EXPIRED)).isZero();
  }

  private static RateLimitRequest request() {
    RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain("d");
    request.addDescriptorsBuilder().addEntriesBuilder().setKey("k").setValue("v");
    return request.build();
  }
}
