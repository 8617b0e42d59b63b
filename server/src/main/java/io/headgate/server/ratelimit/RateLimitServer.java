package io.headgate.server.ratelimit;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.metric.NoopMeterRegistry;
import com.linecorp.armeria.server.Server;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.headgate.control.status.FileProblem;
import io.headgate.envoy.ratelimit.RateLimitGrpc;
import io.headgate.envoy.ratelimit.RateLimitService;
import io.headgate.envoy.ratelimit.rules.RuleFileWatch;
import io.headgate.envoy.ratelimit.rules.RuleFiles;
import io.headgate.envoy.ratelimit.stats.RateLimitStats;
import io.headgate.server.run.BuildInfo;
import io.headgate.server.run.HostPort;
import io.headgate.server.run.ProcessMetrics;
import io.headgate.server.terminal.UserError;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/** The rate limit service with its ports: gRPC for Envoy, HTTP for JSON and pages. */
public final class RateLimitServer {

  /** What a service is called in the health of the original. */
  private static final String HEALTH_NAME = "ratelimit";

  private static final int MAX_MESSAGE_BYTES = 1024 * 1024;
  private static final long HANDSHAKE_SECONDS = 10;
  private static final long DRAIN_SECONDS = 2;
  private static final long CLOSE_SECONDS = 1;

  private static final String INDEX =
      """
      headgate: the rate limit service that Envoy asks
        POST /json         decides on a request of Envoy's filter
        GET  /healthcheck  200 while it is of use, else 500
        GET  /metrics      for Prometheus
      """;

  private final RateLimitSettings settings;
  private final Counting counting;
  private final RuleFileWatch rules;
  private final ScheduledThreadPoolExecutor timer;
  private final HealthStatusManager health = new HealthStatusManager();
  private final PrometheusMeterRegistry metrics =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final ProcessMetrics processMetrics;
  private final RateLimitStats stats = new RateLimitStats();
  private final io.grpc.Server grpc;
  private final Server http;
  private volatile boolean serving = true;

  private RateLimitServer(RateLimitSettings settings, Counting counting, RuleFileWatch rules) {
    this.settings = settings;
    this.counting = counting;
    this.rules = rules;
    timer = new ScheduledThreadPoolExecutor(1, RateLimitServer::daemon);
    timer.setRemoveOnCancelPolicy(true);
    RateLimitService service =
        new RateLimitService(
            rules::rules,
            counting.limiter(),
            settings.service(),
            stats,
            counting.nanoClock(),
            System::currentTimeMillis,
            timer);
    processMetrics = new ProcessMetrics(metrics, BuildInfo.load());
    ServiceMeters.register(stats, rules, metrics);
    grpc = grpc(service);
    http = http(service);
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "headgate-ratelimit-deadlines");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Reads the rules, opens the ports and connects to what counts.
   *
   * @throws UserError if rules have mistakes or a port cannot be opened
   */
  public static RateLimitServer start(RateLimitSettings settings) {
    Counting counting = Counting.open(settings);
    RuleFileWatch rules = null;
    try {
      rules =
          RuleFileWatch.open(
              settings.rules(),
              new RuleFiles(
                  counting.limiter()::require, settings.mergesDomains(), settings.pathKeys()));
      requireValid(rules.problems());
      RateLimitServer server = new RateLimitServer(settings, counting, rules);
      server.open();
      return server;
    } catch (RuntimeException e) {
      if (rules != null) {
        rules.close();
      }
      counting.end();
      throw e;
    }
  }

  private static void requireValid(List<FileProblem> problems) {
    if (!problems.isEmpty()) {
      throw UserError.failed(
          "the rules have mistakes (expected: none at the start)\n"
              + problems.stream().map(problem -> "  " + problem).collect(Collectors.joining("\n")));
    }
  }

  /** Handlers hold up nobody, so they need no threads of their own. */
  private io.grpc.Server grpc(RateLimitService service) {
    return NettyServerBuilder.forAddress(
            settings.grpc().socketAddress(), settings.tls().credentials())
        .directExecutor()
        .handshakeTimeout(HANDSHAKE_SECONDS, TimeUnit.SECONDS)
        .maxInboundMessageSize(MAX_MESSAGE_BYTES)
        .maxConnectionAge(settings.maxConnectionAge().toNanos(), TimeUnit.NANOSECONDS)
        .maxConnectionAgeGrace(settings.maxConnectionAgeGrace().toNanos(), TimeUnit.NANOSECONDS)
        .addService(new RateLimitGrpc(service))
        .addService(health.getHealthService())
        .addService(ProtoReflectionServiceV1.newInstance())
        .build();
  }

  private Server http(RateLimitService service) {
    return Server.builder()
        .meterRegistry(NoopMeterRegistry.get())
        .disableServerHeader()
        .maxRequestLength(MAX_MESSAGE_BYTES)
        .gracefulShutdownTimeoutMillis(0, 0)
        .http(settings.http().socketAddress())
        .service("/", (ctx, request) -> HttpResponse.of(INDEX))
        .service("/json", new JsonEndpoint(service))
        .service("/healthcheck", (ctx, request) -> healthcheck())
        .service(
            "/metrics",
            (ctx, request) -> HttpResponse.of(HttpStatus.OK, MediaType.PLAIN_TEXT_UTF_8, scrape()))
        .build();
  }

  private HttpResponse healthcheck() {
    boolean healthy = serving && !(settings.healthNeedsRedis() && counting.isDegraded());
    return HttpResponse.of(
        healthy ? HttpStatus.OK : HttpStatus.INTERNAL_SERVER_ERROR,
        MediaType.PLAIN_TEXT_UTF_8,
        healthy ? "OK" : serving ? "the store of counts does not answer" : "draining");
  }

  private String scrape() {
    return metrics.scrape() + DescriptorMetrics.of(stats, settings.originalMetrics());
  }

  private void open() {
    try {
      grpc.start();
    } catch (IOException e) {
      throw cannotListen("--grpc", settings.grpc(), e);
    }
    try {
      http.start().join();
    } catch (CompletionException e) {
      grpc.shutdownNow();
      throw cannotListen("--http", settings.http(), e);
    }
    setHealth(ServingStatus.SERVING);
  }

  private static UserError cannotListen(String option, HostPort listen, Exception e) {
    Throwable inner = e;
    while (inner.getCause() != null) {
      inner = inner.getCause();
    }
    return UserError.failed(
        option
            + ": cannot listen on "
            + listen
            + ": "
            + inner.getMessage()
            + " (expected: an own address and a free port; port 0 takes any)");
  }

  private void setHealth(ServingStatus status) {
    health.setStatus(HealthStatusManager.SERVICE_NAME_ALL_SERVICES, status);
    health.setStatus(HEALTH_NAME, status);
    health.setStatus(RateLimitServiceGrpc.SERVICE_NAME, status);
  }

  /** Where Envoy connects to. */
  public HostPort grpcAddress() {
    return settings.grpc().withPort(grpc.getPort());
  }

  /** Where JSON and the pages are. */
  public HostPort httpAddress() {
    return settings.http().withPort(http.activeLocalPort());
  }

  /** Tells Envoy to go elsewhere, answers what is under way and closes the ports. */
  public void drain() throws InterruptedException {
    serving = false;
    health.enterTerminalState();
    grpc.shutdown();
    if (!grpc.awaitTermination(DRAIN_SECONDS, TimeUnit.SECONDS)) {
      grpc.shutdownNow();
    }
    try {
      http.stop().get(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // Its threads take their time to be idle; the port is closed.
    }
    rules.close();
    counting.end();
    timer.shutdownNow();
    processMetrics.close();
  }
}
