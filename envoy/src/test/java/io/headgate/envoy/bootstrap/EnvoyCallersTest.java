package io.headgate.envoy.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.headgate.envoy.process.EnvoyBinary;
import io.headgate.envoy.process.EnvoyProcess;
import io.headgate.fixtures.TestPem;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Objects;
import javax.net.SocketFactory;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whom real Envoys take for the caller, and gRPC through them. */
@Tag("process")
class EnvoyCallersTest {

  private static final EnvoyBinary ENVOY = EnvoyBinary.of(EnvoyBinary.NEWEST);
  private static final String CHECKOUT =
      "spiffe://example.org/ns/prod/sa/" + "checkout-".repeat(10) + "123456";
  private static final char[] PASSWORD = "changeit".toCharArray();

  @TempDir private Path directory;

  @Test
  void aCertificateTellsTheCallerWhateverItsHeadersSay() throws Exception {
    TestPem server = TestPem.make(directory, "server", "ip:127.0.0.1");
    TestPem checkout = TestPem.make(directory, "checkout", "uri:" + CHECKOUT + "-and-more");
    TlsPaths tls =
        new TlsPaths(
            server.certificate().toString(),
            server.key().toString(),
            checkout.certificate().toString());

    try (BareEnvoy envoy =
        BareEnvoy.start(ENVOY, builder -> builder.callers(CallerSource.spiffe()).listenTls(tls))) {
      envoy.drop("caller|payments|" + CHECKOUT, 100);
      try (RawHttp http = new RawHttp(envoy.address(), sockets("checkout"))) {
        assertThat(http.send("GET", "/a").status()).isEqualTo(429);
        assertThat(http.send("GET", "/a", "x-headgate-caller: other").status()).isEqualTo(429);
        assertThat(
                http.send(
                        "GET",
                        "/a",
                        "x-headgate-bucket-caller: other",
                        "x-forwarded-client-cert: URI=spiffe://example.org/other")
                    .status())
            .isEqualTo(429);
      }
      assertThat(envoy.offered(CHECKOUT, "/a")).isEqualTo(3);
      assertThatThrownBy(
              () -> {
                try (RawHttp http = new RawHttp(envoy.address(), sockets(null))) {
                  http.send("GET", "/a");
                }
              })
          .isInstanceOf(UncheckedIOException.class);
    }
  }

  @Test
  void behindOneCallerAllCallsAreItsAndMethodsCanTellProceduresApart() throws Exception {
    try (BareEnvoy envoy =
        BareEnvoy.start(
            ENVOY,
            builder ->
                builder
                    .callers(CallerSource.fixed("check%out"))
                    .procedures(ProcedureNaming.HTTP))) {
      envoy.drop("pair|payments|check%out|GET /a", 100);
      try (RawHttp http = new RawHttp(envoy.address())) {
        assertThat(http.send("GET", "/a").status()).isEqualTo(429);
        assertThat(http.send("GET", "/a?b", "x-headgate-caller: other").status()).isEqualTo(429);
        assertThat(http.send("POST", "/a", "content-length: 0").status()).isEqualTo(200);
      }
      assertThat(envoy.offered("check%out", "GET /a")).isEqualTo(2);
      assertThat(envoy.offered("check%out", "POST /a")).isEqualTo(1);
    }
  }

  @Test
  void aGrpcClientIsToldThatAResourceIsExhausted() throws Exception {
    Server server =
        Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
            .addService(new AlwaysOk())
            .build()
            .start();
    try (EnvoyProcess envoy =
        BareEnvoy.start(ENVOY, server.getPort(), builder -> builder, yaml -> yaml)) {
      ManagedChannel channel =
          Grpc.newChannelBuilderForAddress(
                  "127.0.0.1",
                  envoy.listener("ingress").getPort(),
                  InsecureChannelCredentials.create())
              .build();
      Metadata headers = new Metadata();
      headers.put(key("x-headgate-caller"), "checkout");
      var stub =
          RateLimitServiceGrpc.newBlockingStub(channel)
              .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
      RateLimitRequest request = RateLimitRequest.getDefaultInstance();
      String procedure = "/" + RateLimitServiceGrpc.getShouldRateLimitMethod().getFullMethodName();

      assertThat(stub.shouldRateLimit(request).getOverallCode())
          .isEqualTo(RateLimitResponse.Code.OK);
      BareEnvoy.drop(envoy, "pair|payments|checkout|" + procedure, 100);
      assertThatThrownBy(() -> stub.shouldRateLimit(request))
          .isInstanceOfSatisfying(
              StatusRuntimeException.class,
              e -> {
                assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
                assertThat(e.getStatus().getDescription()).isEqualTo("rate limited");
                Metadata trailers = Objects.requireNonNull(e.getTrailers());
                assertThat(trailers.get(key("retry-after"))).isEqualTo("1");
                assertThat(trailers.get(key("x-envoy-ratelimited"))).isEqualTo("true");
              });
      channel.shutdownNow();
    } finally {
      server.shutdownNow();
    }
  }

  private static Metadata.Key<String> key(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }

  private static final class AlwaysOk extends RateLimitServiceGrpc.RateLimitServiceImplBase {
    @Override
    public void shouldRateLimit(
        RateLimitRequest request, StreamObserver<RateLimitResponse> answers) {
      answers.onNext(
          RateLimitResponse.newBuilder().setOverallCode(RateLimitResponse.Code.OK).build());
      answers.onCompleted();
    }
  }

  /** TLS to the server's certificate; with that of {@code client}, or none for null. */
  private SocketFactory sockets(String client) throws Exception {
    KeyManager[] own = null;
    if (client != null) {
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store(client), PASSWORD);
      own = keys.getKeyManagers();
    }
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, PASSWORD);
    trusted.setCertificateEntry("server", store("server").getCertificate("server"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own, trust.getTrustManagers(), null);
    return context.getSocketFactory();
  }

  private KeyStore store(String name) throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(directory.resolve(name + ".p12"))) {
      store.load(in, PASSWORD);
    }
    return store;
  }
}
