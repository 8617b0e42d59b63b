package io.headgate.agent.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.ManagedChannel;
import io.grpc.ServerCredentials;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.grpc.TlsServerCredentials;
import io.headgate.agent.HeadgateAgent;
import io.headgate.agent.call.CallerIdentity;
import io.headgate.agent.call.ScriptedFleet;
import io.headgate.agent.call.TestCertificates;
import io.headgate.agent.call.TestRules;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
class MutualTlsTest {

  private static final String CHARGE = "payments.v1.Payments/Charge";
  private static final String CHECKOUT = "example.org/ns/prod/sa/checkout";

  @TempDir static Path directory;
  private static Path serverKey;
  private static Path checkoutKey;
  private static Path namelessKey;
  private static Path twoNamesKey;

  private final ScriptedFleet fleet =
      new ScriptedFleet(
          "payments",
          TestRules.rule("by-id", CHECKOUT, CHARGE),
          TestRules.rule("by-name", "checkout", CHARGE),
          TestRules.rule("unknown", "unknown", CHARGE));
  private final HeadgateAgent agent = fleet.agent("payments");
  private final Loopback loopback = new Loopback();
  private final PaymentsService service = new PaymentsService();

  @BeforeAll
  static void makeCertificates() throws Exception {
    serverKey = TestCertificates.make(directory, "server", "dns:localhost");
    checkoutKey = TestCertificates.make(directory, "checkout", "uri:spiffe://" + CHECKOUT);
    namelessKey = TestCertificates.make(directory, "nameless", "");
    twoNamesKey =
        TestCertificates.make(
            directory,
            "two-names",
            "uri:spiffe://example.org/ns/prod/sa/ledger,uri:spiffe://" + CHECKOUT);
  }

  @AfterEach
  void close() throws InterruptedException {
    loopback.close();
    fleet.close();
  }

  private int serve(CallerIdentity identity, TlsServerCredentials.ClientAuth clientAuth)
      throws Exception {
    ServerCredentials credentials =
        TlsServerCredentials.newBuilder()
            .keyManager(TestCertificates.keys(serverKey))
            .trustManager(TestCertificates.trust(List.of(checkoutKey, namelessKey, twoNamesKey)))
            .clientAuth(clientAuth)
            .build();
    return loopback
        .serve(credentials, service, HeadgateServerInterceptor.of(agent, identity))
        .getPort();
  }

  /** A channel that shows the certificate, and a header with the name of somebody else. */
  private ManagedChannel open(int port, Path key, String header) throws Exception {
    return loopback.open(
        port,
        TlsChannelCredentials.newBuilder()
            .keyManager(TestCertificates.keys(key))
            .trustManager(TestCertificates.trust(List.of(serverKey)))
            .build(),
        Loopback.headers("x-headgate-caller", header));
  }

  private ManagedChannel openWithoutCertificate(int port, String header) throws Exception {
    return loopback.open(
        port,
        TlsChannelCredentials.newBuilder()
            .trustManager(TestCertificates.trust(List.of(serverKey)))
            .build(),
        Loopback.headers("x-headgate-caller", header));
  }

  private void drop(String rule, String caller) {
    fleet.enforce(rule, ScriptedFleet.DROP_ALL, agent.gate(caller, CHARGE));
  }

  private static String refusal(ManagedChannel channel) {
    return catchThrowableOfType(StatusRuntimeException.class, () -> Loopback.charge(channel))
        .getStatus()
        .getDescription();
  }

  @Test
  void knowsTheCallerByItsCertificateWhateverTheHeaderSays() throws Exception {
    drop("by-id", CHECKOUT);
    int port = serve(CallerIdentity.certificateOrHeader(), TlsServerCredentials.ClientAuth.REQUIRE);
    ManagedChannel channel = open(port, checkoutKey, "ledger");

    assertThat(refusal(channel)).contains("by-id");
    assertThat(refusal(channel)).contains("by-id");
    assertThat(service.headers).isEmpty();
  }

  @Test
  void doesNotLetAForgedHeaderUseUpAnothersLimit() throws Exception {
    drop("by-name", "checkout");
    int port = serve(CallerIdentity.certificateOrHeader(), TlsServerCredentials.ClientAuth.REQUIRE);

    Loopback.charge(open(port, checkoutKey, "checkout"));

    assertThat(service.headers).hasSize(1);
  }

  @Test
  void doesNotKnowTheHolderOfACertificateWithoutASpiffeId() throws Exception {
    drop("unknown", "unknown");
    int port = serve(CallerIdentity.certificateOrHeader(), TlsServerCredentials.ClientAuth.REQUIRE);

    assertThat(refusal(open(port, namelessKey, "ledger"))).contains("unknown");
    assertThat(refusal(open(port, twoNamesKey, "ledger"))).contains("unknown");
  }

  @Test
  void namesCallersAsTheUserWishes() throws Exception {
    drop("by-name", "checkout");
    CallerIdentity identity =
        CallerIdentity.certificateOnly().named(id -> id.substring(id.lastIndexOf('/') + 1));
    int port = serve(identity, TlsServerCredentials.ClientAuth.REQUIRE);

    assertThat(refusal(open(port, checkoutKey, "ledger"))).contains("by-name");
  }

  @Test
  void readsTheHeaderOverTlsWithoutACertificateOnlyWhereThatIsAllowed() throws Exception {
    drop("by-name", "checkout");
    drop("unknown", "unknown");
    int lenient =
        serve(CallerIdentity.certificateOrHeader(), TlsServerCredentials.ClientAuth.OPTIONAL);
    int strict = serve(CallerIdentity.certificateOnly(), TlsServerCredentials.ClientAuth.OPTIONAL);

    ManagedChannel channel = openWithoutCertificate(lenient, "checkout");
    assertThat(refusal(channel)).contains("by-name");
    assertThat(refusal(channel)).contains("by-name");
    assertThat(refusal(openWithoutCertificate(strict, "checkout"))).contains("unknown");
  }
}
