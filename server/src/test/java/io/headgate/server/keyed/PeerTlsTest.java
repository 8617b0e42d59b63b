package io.headgate.server.keyed;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.ChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettySslContextChannelCredentials;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.util.AdvancedTlsX509KeyManager;
import io.headgate.fixtures.TestPem;
import io.headgate.server.terminal.UserError;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PeerTlsTest {

  @TempDir private static Path certificates;
  private static TestPem known;
  private static TestPem stranger;
  private static TestPem named;

  @TempDir private Path directory;
  private Server server;

  @BeforeAll
  static void makeCertificates() throws Exception {
    known = TestPem.make(certificates, "known");
    stranger = TestPem.make(certificates, "stranger");
    named = TestPem.make(certificates, "named", "dns:peers.test");
  }

  @AfterEach
  void end() {
    if (server != null) {
      server.shutdownNow();
    }
  }

  @Test
  void isOffWithoutItsVariables() {
    assertThat(PeerTls.read(new Variables(Map.of("GUBER_CACHE_SIZE", "1")))).isNull();
  }

  @Test
  void nodesCallOneAnother() throws IOException {
    PeerTls tls = read(variables(known, "GUBER_TLS_CA", known.certificate()));
    start(tls);
    assertThat(call(tls.channelCredentials(), null)).isEqualTo(Status.Code.OK);
  }

  @Test
  void aServerWhomNobodyKnowsIsNotCalled() throws IOException {
    start(read(variables(stranger)));
    assertThat(
            call(
                read(variables(known, "GUBER_TLS_CA", known.certificate())).channelCredentials(),
                null))
        .isEqualTo(Status.Code.UNAVAILABLE);
    // Without a file the platform's authorities count, who know none of these.
    assertThat(call(read(variables(stranger)).channelCredentials(), null))
        .isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(
            call(
                read(variables(known, "GUBER_TLS_INSECURE_SKIP_VERIFY", "true"))
                    .channelCredentials(),
                null))
        .isEqualTo(Status.Code.OK);
  }

  @Test
  void aCertificateMayBeForANameInPlaceOfTheAddress() throws IOException {
    Map<String, String> variables = variables(named, "GUBER_TLS_CA", named.certificate());
    PeerTls plain = read(variables);
    start(plain);
    assertThat(plain.authorityOfPeers()).isNull();
    assertThat(call(plain.channelCredentials(), null)).isEqualTo(Status.Code.UNAVAILABLE);
    variables.put("GUBER_TLS_CLIENT_AUTH_SERVER_NAME", "peers.test");
    PeerTls byName = read(variables);
    assertThat(call(byName.channelCredentials(), byName.authorityOfPeers()))
        .isEqualTo(Status.Code.OK);
  }

  @Test
  void aCertificateThatIsMadeIsKnownToItsNodeAlone() throws IOException {
    Map<String, String> auto = new HashMap<>(Map.of("GUBER_TLS_AUTO", "true"));
    PeerTls tls = read(auto);
    start(tls);
    assertThat(call(tls.channelCredentials(), null)).isEqualTo(Status.Code.OK);
    assertThat(call(tls.channelCredentials(), "localhost")).isEqualTo(Status.Code.OK);
    assertThat(call(tls.channelCredentials(), "elsewhere.test")).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(
            call(
                read(variables(known, "GUBER_TLS_CA", known.certificate())).channelCredentials(),
                null))
        .isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void nodesWhoseCertificatesAreMadeByOneAuthorityCallOneAnother() throws Exception {
    TestPem authority = TestPem.makeAuthority(directory, "authority");
    Map<String, String> variables =
        new HashMap<>(
            Map.of(
                "GUBER_TLS_AUTO",
                "true",
                "GUBER_TLS_CA",
                authority.certificate().toString(),
                "GUBER_TLS_CA_KEY",
                authority.key().toString(),
                "GUBER_TLS_CLIENT_AUTH",
                "require-and-verify"));
    start(read(variables));
    assertThat(call(read(variables).channelCredentials(), null)).isEqualTo(Status.Code.OK);
    assertThat(call(client(known, "TLSv1.3"), null)).isEqualTo(Status.Code.UNAVAILABLE);
  }

  /** As Gubernator makes them. */
  @Test
  void keysMayBeOnTheLargestCurve() throws Exception {
    TestPem large = TestPem.makeOnCurve(directory, "large", "secp521r1");
    PeerTls tls =
        read(
            variables(
                large,
                "GUBER_TLS_CA",
                large.certificate(),
                "GUBER_TLS_CLIENT_AUTH",
                "require-and-verify"));
    start(tls);
    assertThat(call(tls.channelCredentials(), null)).isEqualTo(Status.Code.OK);
  }

  @Test
  void clientsShowWhatTheModeAsksFor() throws Exception {
    assertClients("", true, true, true);
    assertClients("request-cert", true, true, true);
    assertClients("verify-cert", true, false, true);
    assertClients("require-any-cert", true, true, false);
    assertClients("require-and-verify", true, false, false);
  }

  private void assertClients(
      String mode, boolean knownServed, boolean strangerServed, boolean anonymousServed)
      throws Exception {
    start(
        read(variables(known, "GUBER_TLS_CLIENT_AUTH", mode, "GUBER_TLS_CA", known.certificate())));
    assertThat(call(client(known, "TLSv1.3"), null) == Status.Code.OK)
        .as("%s: known", mode)
        .isEqualTo(knownServed);
    assertThat(call(client(stranger, "TLSv1.3"), null) == Status.Code.OK)
        .as("%s: stranger", mode)
        .isEqualTo(strangerServed);
    assertThat(call(client(null, "TLSv1.3"), null) == Status.Code.OK)
        .as("%s: anonymous", mode)
        .isEqualTo(anonymousServed);
    server.shutdownNow();
  }

  @Test
  void clientsMayHaveAnAuthorityAndNodesACertificateOfTheirOwn() throws Exception {
    PeerTls tls =
        read(
            variables(
                known,
                "GUBER_TLS_CA",
                known.certificate(),
                "GUBER_TLS_CLIENT_AUTH",
                "require-and-verify",
                "GUBER_TLS_CLIENT_AUTH_CA_CERT",
                stranger.certificate(),
                "GUBER_TLS_CLIENT_AUTH_CERT",
                stranger.certificate(),
                "GUBER_TLS_CLIENT_AUTH_KEY",
                stranger.key()));
    start(tls);
    assertThat(tls.asksClients()).isTrue();
    assertThat(tls.requiresClients()).isTrue();
    assertThat(call(tls.channelCredentials(), null)).isEqualTo(Status.Code.OK);
    assertThat(call(client(known, "TLSv1.3"), null)).isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void olderVersionsOfTlsAreSpokenIfAskedFor() throws Exception {
    start(read(variables(known)));
    assertThat(call(client(null, "TLSv1.2"), null)).isEqualTo(Status.Code.UNAVAILABLE);
    server.shutdownNow();
    PeerTls older = read(variables(known, "GUBER_TLS_MIN_VERSION", "1.2"));
    assertThat(older.protocols()).containsExactly("TLSv1.3", "TLSv1.2");
    start(older);
    assertThat(call(client(null, "TLSv1.2"), null)).isEqualTo(Status.Code.OK);
    assertThat(call(client(null, "TLSv1.3"), null)).isEqualTo(Status.Code.OK);
  }

  @Test
  void changedFilesAreUsedForNewConnections() throws Exception {
    Path certificate = Files.copy(known.certificate(), directory.resolve("node.pem"));
    Path key = Files.copy(known.key(), directory.resolve("node.key"));
    Path authority = Files.copy(known.certificate(), directory.resolve("ca.pem"));
    PeerTls tls =
        read(
            new HashMap<>(
                Map.of(
                    "GUBER_TLS_CERT", certificate.toString(),
                    "GUBER_TLS_KEY", key.toString(),
                    "GUBER_TLS_CA", authority.toString(),
                    "GUBER_TLS_CLIENT_AUTH", "require-and-verify")));
    start(tls);
    ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    try {
      assertThat(tls.watch(scheduler, Duration.ofMillis(20)).isDone()).isFalse();
      assertThat(call(client(known, "TLSv1.3"), null)).isEqualTo(Status.Code.OK);

      Files.copy(stranger.certificate(), certificate, REPLACE_EXISTING);
      await()
          .until(
              () ->
                  tls.problem()
                      .contains(key + ": not the key of " + certificate + " (expected: the key"));
      Files.writeString(authority, "nothing\n");
      await().until(() -> tls.problem().contains(authority + ": no certificate (expected: PEM)"));
      assertThat(call(client(known, "TLSv1.3"), null)).isEqualTo(Status.Code.OK);

      Files.copy(stranger.key(), key, REPLACE_EXISTING);
      Files.copy(stranger.certificate(), authority, REPLACE_EXISTING);
      await().until(() -> tls.problem().isEmpty());
      assertThat(call(client(known, "TLSv1.3"), null)).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(call(client(stranger, "TLSv1.3"), null)).isEqualTo(Status.Code.OK);
      assertThat(call(tls.channelCredentials(), null)).isEqualTo(Status.Code.OK);
    } finally {
      scheduler.shutdownNow();
    }
  }

  @Test
  void aMistakeIsToldWithItsVariableItsValueAndWhatWasExpected() throws IOException {
    assertRefused(
        "GUBER_TLS_CERT: not set (expected with other GUBER_TLS_*: a PEM file)",
        new HashMap<>(Map.of("GUBER_TLS_CA", known.certificate().toString())));
    Path missing = directory.resolve("missing");
    assertRefused(
        "GUBER_TLS_KEY: '" + missing + "' (expected: a PEM file that can be read)",
        new HashMap<>(
            Map.of(
                "GUBER_TLS_CERT", known.certificate().toString(),
                "GUBER_TLS_KEY", missing.toString())));
    assertRefused(
        "GUBER_TLS_CERT, GUBER_TLS_KEY: "
            + stranger.key()
            + ": not the key of "
            + known.certificate()
            + " (expected: the key of its certificate)",
        variables(new TestPem(known.certificate(), stranger.key())));
    assertRefused(
        "GUBER_TLS_CERT, GUBER_TLS_KEY: "
            + known.certificate()
            + ": no private key (expected: PEM, PKCS #8, RSA or EC)",
        variables(new TestPem(known.certificate(), known.certificate())));
    assertRefused(
        "GUBER_TLS_CA: " + known.key() + ": no certificate (expected: PEM)",
        variables(known, "GUBER_TLS_CA", known.key()));
    assertRefused(
        "GUBER_TLS_CLIENT_AUTH: 'always' (expected: request-cert, verify-cert, require-any-cert or"
            + " require-and-verify)",
        variables(known, "GUBER_TLS_CLIENT_AUTH", "always"));
    assertRefused(
        "GUBER_TLS_CLIENT_AUTH: 'verify-cert' (expected: with it, GUBER_TLS_CLIENT_AUTH_CA_CERT or"
            + " GUBER_TLS_CA)",
        variables(known, "GUBER_TLS_CLIENT_AUTH", "verify-cert"));
    assertRefused(
        "GUBER_TLS_MIN_VERSION: '2' (expected: 1.2 or 1.3)",
        variables(known, "GUBER_TLS_MIN_VERSION", "2"));
    assertRefused(
        "GUBER_TLS_CA_KEY: not set (expected with other GUBER_TLS_*: a PEM file)",
        new HashMap<>(
            Map.of("GUBER_TLS_AUTO", "true", "GUBER_TLS_CA", known.certificate().toString())));
  }

  private static void assertRefused(String message, Map<String, String> variables) {
    assertThatThrownBy(() -> read(variables)).isInstanceOf(UserError.class).hasMessage(message);
  }

  private void start(PeerTls tls) throws IOException {
    server =
        NettyServerBuilder.forAddress(
                new InetSocketAddress("127.0.0.1", 0), tls.serverCredentials())
            .addService(new HealthStatusManager().getHealthService())
            .build()
            .start();
  }

  private Status.Code call(ChannelCredentials credentials, String authority) {
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress("127.0.0.1", server.getPort(), credentials);
    if (authority != null) {
      builder.overrideAuthority(authority);
    }
    ManagedChannel channel = builder.build();
    try {
      HealthGrpc.newBlockingStub(channel)
          .withDeadlineAfter(20, TimeUnit.SECONDS)
          .check(HealthCheckRequest.getDefaultInstance());
      return Status.Code.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode();
    } finally {
      channel.shutdownNow();
    }
  }

  /**
   * Trusts every server, and shows its certificate even to one that says it will not know it, so
   * that the answer is about what the server thinks of it.
   */
  private static ChannelCredentials client(TestPem identity, String protocol)
      throws IOException, GeneralSecurityException {
    SslContextBuilder builder =
        GrpcSslContexts.configure(SslContextBuilder.forClient())
            .protocols(protocol)
            .trustManager(InsecureTrustManagerFactory.INSTANCE);
    if (identity != null) {
      AdvancedTlsX509KeyManager insisting = new AdvancedTlsX509KeyManager();
      insisting.updateIdentityCredentials(identity.certificate().toFile(), identity.key().toFile());
      builder.keyManager(insisting);
    }
    return NettySslContextChannelCredentials.create(builder.build());
  }

  private static PeerTls read(Map<String, String> variables) {
    return PeerTls.read(new Variables(variables));
  }

  private static Map<String, String> variables(TestPem identity, Object... more) {
    Map<String, String> variables = new HashMap<>();
    variables.put("GUBER_TLS_CERT", identity.certificate().toString());
    variables.put("GUBER_TLS_KEY", identity.key().toString());
    for (int i = 0; i < more.length; i += 2) {
      variables.put(more[i].toString(), more[i + 1].toString());
    }
    return variables;
  }
}
