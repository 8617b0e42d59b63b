package io.headgate.server.keyed;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.metric.NoopMeterRegistry;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import io.grpc.BindableService;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.grpc.stub.StreamObserver;
import io.headgate.keyed.KeyedLimiter;
import io.headgate.keyed.ring.KeyedRing;
import io.headgate.keyed.ring.RingBuilder;
import io.headgate.server.run.BuildInfo;
import io.headgate.server.run.HostPort;
import io.headgate.server.run.ProcessMetrics;
import io.headgate.server.terminal.UserError;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.util.KeyManagerFactoryWrapper;
import io.netty.handler.ssl.util.TrustManagerFactoryWrapper;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A node of a cluster with its ports: gRPC for clients and peers, HTTP for JSON and pages. */
public final class KeyedServer {

  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);
  private static final long CLOSE_TIMEOUT_SECONDS = 1;

  /** Fixed windows of limits by name begin at multiples of their length since 1970, UTC. */
  private static final LongSupplier TIME_OF_DAY =
      () -> TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());

  private static final String INDEX =
      """
      headgate: a node of a cluster for keyed limits
        POST /v1/GetRateLimits  counts hits
        GET  /v1/HealthCheck    200 while it takes part in its cluster, else 503 and why
        GET  /v1/LiveCheck      200 while the process lives
        GET  /metrics           for Prometheus
      """;

  private final KeyedRing ring;
  private final Server http;
  private final @Nullable Server status;
  private final ProcessMetrics processMetrics;
  private final ScheduledExecutorService reloads =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "certificates");
            thread.setDaemon(true);
            return thread;
          });
  private final KeyedSettings settings;

  private KeyedServer(
      KeyedRing ring,
      Server http,
      @Nullable Server status,
      ProcessMetrics processMetrics,
      KeyedSettings settings) {
    this.ring = ring;
    this.http = http;
    this.status = status;
    this.processMetrics = processMetrics;
    this.settings = settings;
    if (settings.tls() != null) {
      settings.tls().watch(reloads, PeerTls.RELOAD_INTERVAL);
    }
  }

  /**
   * Opens the ports and joins the cluster.
   *
   * @throws UserError if a port cannot be opened
   */
  public static KeyedServer start(KeyedSettings settings) {
    Health health = new Health();
    PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    CallTimes calls = new CallTimes(metrics, settings.gubernatorMetrics(), System::nanoTime);
    RingBuilder builder =
        KeyedRing.builder(settings.discovery().self().grpcAddress())
            .dataCenter(settings.discovery().self().dataCenter())
            .listen(settings.grpc().toString())
            .discovery(settings.discovery().discovery())
            .settings(settings.ring())
            .maxConnectionAge(settings.maxConnectionAge())
            .drainTime(settings.drainTime())
            .tracer(calls)
            .nanoClock(TIME_OF_DAY)
            .addService(health)
            .addService(ProtoReflectionServiceV1.newInstance());
    PeerTls tls = settings.tls();
    if (tls != null) {
      builder.credentials(
          tls.serverCredentials(), tls.channelCredentials(), tls.authorityOfPeers());
    }
    KeyedRing ring = openRing(builder);
    health.ring = ring;
    ProcessMetrics process = new ProcessMetrics(metrics, BuildInfo.load());
    RingMeters.register(ring, metrics);
    try {
      Server http = openHttp(settings, ring, metrics, calls);
      Server status =
          settings.status() == null || tls == null
              ? null
              : openStatus(settings.status(), tls, ring);
      return new KeyedServer(ring, http, status, process, settings);
    } catch (RuntimeException e) {
      ring.close();
      throw e;
    }
  }

  private static KeyedRing openRing(RingBuilder builder) {
    try {
      return builder.start();
    } catch (UncheckedIOException e) {
      throw UserError.failed(
          "GUBER_GRPC_ADDRESS: " + e.getMessage() + " (expected: an own address and a free port)");
    }
  }

  private static Server openHttp(
      KeyedSettings settings, KeyedRing ring, PrometheusMeterRegistry metrics, CallTimes calls) {
    Supplier<String> scrape =
        settings.gubernatorMetrics()
            ? () -> metrics.scrape() + GubernatorMetrics.of(ring, calls)
            : metrics::scrape;
    ServerBuilder builder =
        Server.builder()
            .meterRegistry(NoopMeterRegistry.get())
            .disableServerHeader()
            .maxRequestLength(0) // the gateway has its own, with its own words
            .requestTimeout(REQUEST_TIMEOUT)
            .gracefulShutdownTimeoutMillis(0, 0)
            .service("/", (ctx, request) -> HttpResponse.of(INDEX))
            .service("/v1/GetRateLimits", HttpGateway.rateLimits(ring))
            .service("/v1/HealthCheck", HttpGateway.health(ring))
            .service("/v1/LiveCheck", HttpGateway.live(ring))
            .service(
                "/metrics",
                (ctx, request) ->
                    HttpResponse.of(HttpStatus.OK, MediaType.PLAIN_TEXT_UTF_8, scrape.get()))
            .serviceUnder("/", (ctx, request) -> HttpGateway.notFound());
    PeerTls tls = settings.tls();
    if (tls == null) {
      builder.http(settings.http().socketAddress());
    } else {
      builder.https(settings.http().socketAddress());
      useTls(builder, tls, tls.asksClients());
    }
    return open(builder, "GUBER_HTTP_ADDRESS", settings.http());
  }

  /** Where the health is told to whoever has no certificate. */
  private static Server openStatus(HostPort listen, PeerTls tls, KeyedRing ring) {
    ServerBuilder builder =
        Server.builder()
            .meterRegistry(NoopMeterRegistry.get())
            .disableServerHeader()
            .gracefulShutdownTimeoutMillis(0, 0)
            .https(listen.socketAddress())
            .service("/v1/HealthCheck", HttpGateway.health(ring))
            .serviceUnder("/", (ctx, request) -> HttpGateway.notFound());
    useTls(builder, tls, false);
    return open(builder, "GUBER_STATUS_HTTP_ADDRESS", listen);
  }

  private static void useTls(ServerBuilder builder, PeerTls tls, boolean asksClients) {
    builder.tls(new KeyManagerFactoryWrapper(tls.keyManager()));
    builder.tlsCustomizer(
        ssl -> {
          ssl.protocols(tls.protocols());
          if (asksClients) {
            ssl.trustManager(new TrustManagerFactoryWrapper(tls.clientTrust()))
                .clientAuth(tls.requiresClients() ? ClientAuth.REQUIRE : ClientAuth.OPTIONAL);
          }
        });
  }

  private static Server open(ServerBuilder builder, String name, HostPort listen) {
    Server server = builder.build();
    try {
      server.start().join();
    } catch (CompletionException e) {
      throw UserError.failed(
          name
              + ": cannot listen on "
              + listen
              + ": "
              + innermost(e).getMessage()
              + " (expected: an own address and a free port)");
    }
    return server;
  }

  private static Throwable innermost(Throwable thrown) {
    Throwable inner = thrown;
    while (inner.getCause() != null) {
      inner = inner.getCause();
    }
    return inner;
  }

  /** Where clients and peers connect to. */
  public HostPort grpcAddress() {
    return settings.grpc().withPort(ring.port());
  }

  /** Where JSON and the pages are. */
  public HostPort httpAddress() {
    return settings.http().withPort(http.activeLocalPort());
  }

  /** Limits by name whose counts are on the nodes of the cluster. */
  public KeyedLimiter limiter() {
    return ring.limiter();
  }

  /** Leaves the cluster, gives everything away and closes the ports. */
  public void drain() throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(settings.terminationDelay().toMillis());
    ring.close();
    reloads.shutdownNow();
    close(http);
    if (status != null) {
      close(status);
    }
    processMetrics.close();
  }

  private static void close(Server server) throws InterruptedException {
    try {
      server.stop().get(CLOSE_TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // Its threads take their time to be idle; the port is closed.
    }
  }

  /** {@code grpc.health.v1}: as the node's own health, for all services. */
  private static final class Health extends HealthGrpc.HealthImplBase implements BindableService {
    private volatile @Nullable KeyedRing ring;

    @Override
    public void check(HealthCheckRequest request, StreamObserver<HealthCheckResponse> observer) {
      KeyedRing node = ring;
      boolean healthy = node != null && node.health().getStatus().equals("healthy");
      observer.onNext(
          HealthCheckResponse.newBuilder()
              .setStatus(healthy ? ServingStatus.SERVING : ServingStatus.NOT_SERVING)
              .build());
      observer.onCompleted();
    }
  }
}
