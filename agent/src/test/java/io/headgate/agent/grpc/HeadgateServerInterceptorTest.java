package io.headgate.agent.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.rpc.QuotaFailure;
import com.google.rpc.RetryInfo;
import io.grpc.ClientInterceptor;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.headgate.agent.Gate;
import io.headgate.agent.HeadgateAgent;
import io.headgate.agent.call.CallerIdentity;
import io.headgate.agent.call.ScriptedFleet;
import io.headgate.agent.call.TestRules;
import io.headgate.core.shed.Directive;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeadgateServerInterceptorTest {

  private static final String CHARGE = "payments.v1.Payments/Charge";

  /** First attempts pass, retries do not. */
  private static final Directive DROP_RETRIES = new Directive(6, 0);

  private final ScriptedFleet fleet =
      new ScriptedFleet(
          "payments",
          TestRules.rule("checkout-charge", "checkout", CHARGE),
          TestRules.rule("unknown-charge", "unknown", CHARGE));
  private final HeadgateAgent agent = fleet.agent("payments");
  private final Loopback loopback = new Loopback();
  private final PaymentsService service = new PaymentsService();
  private int port;

  @BeforeEach
  void serve() throws IOException {
    port = serve(HeadgateServerInterceptor.of(agent));
  }

  private int serve(HeadgateServerInterceptor interceptor) throws IOException {
    return loopback.serve(InsecureServerCredentials.create(), service, interceptor).getPort();
  }

  @AfterEach
  void close() throws InterruptedException {
    loopback.close();
    fleet.close();
  }

  private ManagedChannel open(ClientInterceptor... interceptors) {
    return loopback.open(port, InsecureChannelCredentials.create(), interceptors);
  }

  private ManagedChannel callerNamed(String name) {
    return open(Loopback.headers("x-headgate-caller", name));
  }

  private Gate checkoutGate() {
    return agent.gate("checkout", CHARGE);
  }

  private void dropCheckout() {
    fleet.enforce("checkout-charge", ScriptedFleet.DROP_ALL, checkoutGate());
  }

  private static StatusRuntimeException refused(ManagedChannel channel) {
    return catchThrowableOfType(StatusRuntimeException.class, () -> Loopback.charge(channel));
  }

  @Test
  void dropsTheCallsOfACallerThatIsAboveItsLimit() {
    dropCheckout();

    StatusRuntimeException dropped = refused(callerNamed("checkout"));

    assertThat(dropped.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(dropped.getStatus().getDescription())
        .isEqualTo("dropped by rate limit 'checkout-charge' of service 'payments' (200/s)");
    assertThat(service.headers).isEmpty();
  }

  @Test
  void letsOtherCallersThrough() {
    dropCheckout();

    Loopback.charge(callerNamed("ledger"));
    Loopback.charge(open());

    assertThat(service.headers).hasSize(2);
  }

  @Test
  void saysWhenToTryAgainAndWhichLimitItWas() throws Exception {
    dropCheckout();

    com.google.rpc.Status details = StatusProto.fromThrowable(refused(callerNamed("checkout")));

    RetryInfo retryInfo = details.getDetails(0).unpack(RetryInfo.class);
    QuotaFailure failure = details.getDetails(1).unpack(QuotaFailure.class);
    assertThat(retryInfo.getRetryDelay().getSeconds()).isEqualTo(1);
    assertThat(retryInfo.getRetryDelay().getNanos()).isEqualTo(500_000_000);
    assertThat(failure.getViolations(0).getSubject()).isEqualTo("payments/checkout-charge");
  }

  @Test
  void keepsClientsFromRetryingByThemselves() {
    dropCheckout();
    long before = ScriptedFleet.dropped(agent, "checkout-charge");

    StatusRuntimeException dropped = refused(callerNamed("checkout"));

    assertThat(dropped.getTrailers().get(text("grpc-retry-pushback-ms"))).isEqualTo("-1");
    assertThat(ScriptedFleet.dropped(agent, "checkout-charge") - before).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "   "})
  void limitsCallersThatCannotBeNamedAsOne(String name) {
    fleet.enforce("unknown-charge", ScriptedFleet.DROP_ALL, agent.gate("unknown", CHARGE));

    assertThat(refused(callerNamed(name)).getStatus().getDescription()).contains("unknown-charge");
  }

  @Test
  void limitsCallersWithoutANameAsOne() {
    fleet.enforce("unknown-charge", ScriptedFleet.DROP_ALL, agent.gate("unknown", CHARGE));

    assertThat(refused(open()).getStatus().getDescription()).contains("unknown-charge");
    assertThat(refused(callerNamed("c".repeat(129))).getStatus().getDescription())
        .contains("unknown-charge");
  }

  @Test
  void readsNoNameFromPlainTextWhereCertificatesAreAsked() throws IOException {
    fleet.enforce("unknown-charge", ScriptedFleet.DROP_ALL, agent.gate("unknown", CHARGE));
    port = serve(HeadgateServerInterceptor.of(agent, CallerIdentity.certificateOnly()));

    assertThat(refused(callerNamed("ledger")).getStatus().getDescription())
        .contains("unknown-charge");
  }

  @Test
  void knowsTheRetriesOfGrpcItself() {
    fleet.enforce("checkout-charge", DROP_RETRIES, checkoutGate());
    service.failures.set(1);

    StatusRuntimeException failed = refused(callerNamed("checkout"));

    assertThat(failed.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(service.headers).hasSize(1);
  }

  @Test
  void knowsTheRetriesOfAnEnvoyBeforeIt() {
    fleet.enforce("checkout-charge", DROP_RETRIES, checkoutGate());

    Loopback.charge(
        open(Loopback.headers("x-headgate-caller", "checkout", "x-envoy-attempt-count", "1")));
    StatusRuntimeException retry =
        refused(
            open(Loopback.headers("x-headgate-caller", "checkout", "x-envoy-attempt-count", "2")));

    assertThat(retry.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(service.headers).hasSize(1);
  }

  @Test
  void shedsTheLessCriticalFirst() {
    fleet.enforce("checkout-charge", new Directive(4, 0), checkoutGate());

    Loopback.charge(critical("3"));
    Loopback.charge(critical("none"));
    StatusRuntimeException shed = refused(critical("4"));

    assertThat(shed.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(service.criticalities).containsExactly(3, -1);
  }

  private ManagedChannel critical(String criticality) {
    return open(
        Loopback.headers("x-headgate-caller", "checkout", "x-headgate-criticality", criticality));
  }

  @Test
  void keepsTheCriticalityThroughAChainOfServices() throws IOException {
    PaymentsService ledger = new PaymentsService();
    ManagedChannel toLedger =
        loopback.open(
            loopback.serve(InsecureServerCredentials.create(), ledger).getPort(),
            InsecureChannelCredentials.create(),
            HeadgateClientInterceptor.of(agent, "ledger"));
    service.onward = () -> Loopback.charge(toLedger);

    Loopback.charge(critical("2"));
    Loopback.charge(open());

    assertThat(ledger.headers.stream().map(headers -> headers.get(CallMetadata.CRITICALITY)))
        .containsExactly("2", null);
    assertThat(ledger.headers.get(0).get(CallMetadata.CALLER)).isEqualTo("payments");
  }

  @Test
  void seesWhatTheClientInterceptorSays() {
    dropCheckout();
    HeadgateAgent checkout = fleet.agent("checkout");

    // "free" has no rules, so that the client lets everything through.
    StatusRuntimeException dropped = refused(open(HeadgateClientInterceptor.of(checkout, "free")));

    assertThat(dropped.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
  }

  private static Metadata.Key<String> text(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }
}
