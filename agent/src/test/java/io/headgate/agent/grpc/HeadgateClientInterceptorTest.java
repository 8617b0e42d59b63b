package io.headgate.agent.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.StringValue;
import com.google.rpc.QuotaFailure;
import com.google.rpc.RetryInfo;
import io.grpc.CallOptions;
import io.grpc.ConnectivityState;
import io.grpc.Context;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.headgate.agent.HeadgateAgent;
import io.headgate.agent.call.ScriptedFleet;
import io.headgate.agent.call.TestRules;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HeadgateClientInterceptorTest {

  private static final String CHARGE = "payments.v1.Payments/Charge";

  private final ScriptedFleet fleet =
      new ScriptedFleet("payments", TestRules.rule("all-charges", "*", CHARGE));
  private final HeadgateAgent agent = fleet.agent("checkout");
  private final Loopback loopback = new Loopback();
  private final PaymentsService service = new PaymentsService();
  private ManagedChannel channel;

  @BeforeEach
  void connect() throws IOException {
    channel =
        loopback.open(
            loopback.serve(InsecureServerCredentials.create(), service).getPort(),
            InsecureChannelCredentials.create(),
            HeadgateClientInterceptor.of(agent, "payments"));
  }

  @AfterEach
  void close() throws InterruptedException {
    loopback.close();
    fleet.close();
  }

  private void dropCharges() {
    fleet.enforce(
        "all-charges", ScriptedFleet.DROP_ALL, agent.gate("payments", "checkout", CHARGE));
  }

  private StatusRuntimeException refused() {
    return catchThrowableOfType(StatusRuntimeException.class, () -> Loopback.charge(channel));
  }

  @Test
  void tellsTheServerWhoCalls() {
    Loopback.charge(channel);

    assertThat(service.headers).hasSize(1);
    assertThat(service.headers.get(0).getAll(CallMetadata.CALLER)).containsExactly("checkout");
    assertThat(service.headers.get(0).containsKey(CallMetadata.CRITICALITY)).isFalse();
  }

  @Test
  void letsNoCodeOfTheProcessCallInAnothersName() throws IOException {
    // The interceptor given last is the first to see a call.
    ManagedChannel forger =
        loopback.open(
            loopback.serve(InsecureServerCredentials.create(), service).getPort(),
            InsecureChannelCredentials.create(),
            HeadgateClientInterceptor.of(agent, "payments"),
            Loopback.headers("x-headgate-caller", "cashier"));

    Loopback.charge(forger);

    assertThat(service.headers.get(0).getAll(CallMetadata.CALLER)).containsExactly("checkout");
  }

  @Test
  void tellsTheServerHowCriticalACallIs() throws Exception {
    Loopback.charge(channel, CallOptions.DEFAULT.withOption(HeadgateCriticality.OPTION, 1));
    Context.current()
        .withValue(HeadgateCriticality.CONTEXT, 4)
        .call(
            () -> {
              Loopback.charge(channel);
              Loopback.charge(
                  channel, CallOptions.DEFAULT.withOption(HeadgateCriticality.OPTION, 0));
              return null;
            });
    Loopback.charge(channel, CallOptions.DEFAULT.withOption(HeadgateCriticality.OPTION, 6));

    assertThat(service.headers.stream().map(headers -> headers.get(CallMetadata.CRITICALITY)))
        .containsExactly("1", "4", "0", null);
  }

  @Test
  void failsADroppedCallWithoutTouchingTheNetwork() {
    dropCharges();

    StatusRuntimeException dropped = refused();

    assertThat(dropped.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(dropped.getStatus().getDescription())
        .isEqualTo("dropped by rate limit 'all-charges' of service 'payments' (200/s)");
    assertThat(channel.getState(false)).isEqualTo(ConnectivityState.IDLE);
    assertThat(service.headers).isEmpty();
  }

  @Test
  void saysWhenToTryAgainAndWhichLimitItWas() throws InvalidProtocolBufferException {
    dropCharges();

    StatusRuntimeException dropped = refused();
    com.google.rpc.Status details = StatusProto.fromThrowable(dropped);

    assertThat(details.getCode()).isEqualTo(8);
    assertThat(details.getDetailsCount()).isEqualTo(2);
    Any retryInfo = details.getDetails(0);
    Any quotaFailure = details.getDetails(1);
    assertThat(retryInfo.unpack(RetryInfo.class).getRetryDelay())
        .isEqualTo(Duration.newBuilder().setSeconds(1).setNanos(500_000_000).build());
    QuotaFailure.Violation violation = quotaFailure.unpack(QuotaFailure.class).getViolations(0);
    assertThat(violation.getSubject()).isEqualTo("payments/all-charges");
    assertThat(violation.getDescription()).isEqualTo("limit 200/s");
  }

  @Test
  void judgesADroppedCallOnceWhateverTheRetryPolicy() {
    dropCharges();
    long before = ScriptedFleet.dropped(agent, "all-charges");

    StatusRuntimeException dropped = refused();

    assertThat(dropped.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(ScriptedFleet.dropped(agent, "all-charges") - before).isEqualTo(1);
  }

  @Test
  void judgesACallOnceThatTheChannelRetries() {
    ScriptedFleet.awaitRules(agent, agent.gate("payments", "checkout", CHARGE));
    long before = ScriptedFleet.offered(agent, "all-charges");
    service.failures.set(2);

    Loopback.charge(channel);

    assertThat(service.headers).hasSize(3);
    assertThat(ScriptedFleet.offered(agent, "all-charges") - before).isEqualTo(1);
  }

  @Test
  void leavesOtherMethodsAlone() throws Exception {
    dropCharges();

    CompletableFuture<StringValue> first = new CompletableFuture<>();
    StreamObserver<StringValue> requests = watch(first);
    requests.onNext(StringValue.of("echo"));
    requests.onCompleted();

    assertThat(first.get(20, TimeUnit.SECONDS).getValue()).isEqualTo("echo");
  }

  @Test
  void endsADroppedStreamThatIsStillBeingWritten() throws Exception {
    ScriptedFleet strict =
        new ScriptedFleet("payments", TestRules.rule("watches", "*", "payments.v1.Payments/Watch"));
    try (strict) {
      HeadgateAgent strictAgent = strict.agent("checkout");
      strict.enforce(
          "watches",
          ScriptedFleet.DROP_ALL,
          strictAgent.gate("payments", "checkout", "payments.v1.Payments/Watch"));
      channel =
          loopback.open(
              loopback.serve(InsecureServerCredentials.create(), service).getPort(),
              InsecureChannelCredentials.create(),
              HeadgateClientInterceptor.of(strictAgent, "payments"));

      CompletableFuture<StringValue> first = new CompletableFuture<>();
      StreamObserver<StringValue> requests = watch(first);
      requests.onNext(StringValue.of("lost"));
      requests.onCompleted();

      assertThat(first)
          .failsWithin(20, TimeUnit.SECONDS)
          .withThrowableThat()
          .withMessageContaining("RESOURCE_EXHAUSTED");
      assertThat(service.headers).isEmpty();
    }
  }

  private StreamObserver<StringValue> watch(CompletableFuture<StringValue> first) {
    return ClientCalls.asyncBidiStreamingCall(
        channel.newCall(PaymentsService.WATCH, CallOptions.DEFAULT),
        new StreamObserver<>() {
          @Override
          public void onNext(StringValue value) {
            first.complete(value);
          }

          @Override
          public void onError(Throwable failure) {
            first.completeExceptionally(failure);
          }

          @Override
          public void onCompleted() {}
        });
  }
}
