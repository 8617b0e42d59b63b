package io.headgate.server.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.metric.NoopMeterRegistry;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.prometheus.PrometheusExpositionService;
import io.headgate.configurator.run.ConfiguratorStatus;
import io.headgate.control.status.AggregatorStatus;
import io.headgate.control.status.ControllerStatus;
import io.headgate.envoy.proxy.DataPlaneStatus;
import io.headgate.server.terminal.UserError;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.handler.ssl.ClientAuth;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The pages of a process: metrics, health, readiness and status. */
final class HttpPages {

  /** A role that does not answer within this time is taken to be stuck. */
  private static final long ANSWER_TIMEOUT_SECONDS = 5;

  private static final long CLOSE_TIMEOUT_MILLIS = 300;

  private static final String INDEX =
      """
      headgate
        /metrics  for Prometheus
        /healthz  200 while the process lives
        /readyz   200 while it is of use, else 503 and why
        /status   what it sees, as JSON; 'headgate status' shows it as tables
      """;

  private final HostPort listen;
  private final List<RunningRole> roles;
  private final Readiness readiness;
  private final BuildInfo build = BuildInfo.load();
  private final ObjectMapper json = new ObjectMapper();
  private final Server server;

  /** Pages whose port is not open yet. */
  HttpPages(
      HostPort listen,
      @Nullable TlsFiles tls,
      List<RunningRole> roles,
      Readiness readiness,
      PrometheusMeterRegistry metrics) {
    this.listen = listen;
    this.roles = roles;
    this.readiness = readiness;
    ServerBuilder builder =
        Server.builder()
            .meterRegistry(NoopMeterRegistry.get())
            .disableServerHeader()
            .gracefulShutdownTimeoutMillis(0, 0)
            .service("/", (ctx, req) -> HttpResponse.of(INDEX))
            .service("/metrics", PrometheusExpositionService.of(metrics.getPrometheusRegistry()))
            .service("/healthz", (ctx, req) -> HttpResponse.of(health()))
            .service("/readyz", (ctx, req) -> ready())
            .service("/status", (ctx, req) -> HttpResponse.of(status()));
    if (tls == null) {
      builder.http(listen.socketAddress());
    } else {
      builder.https(listen.socketAddress());
      builder.tls(tls.keyPair());
      builder.tlsCustomizer(
          ssl -> {
            if (tls.authority() != null) {
              ssl.trustManager(tls.authority().toFile()).clientAuth(ClientAuth.REQUIRE);
            }
          });
    }
    server = builder.build();
  }

  /** Opens the port and says where it is. */
  HostPort open() {
    try {
      server.start().join();
    } catch (CompletionException e) {
      throw UserError.failed(
          "--http: cannot listen on "
              + listen
              + ": "
              + GrpcPort.innermost(e).getMessage()
              + " (expected: an own address and a free port; port 0 takes any)");
    }
    return listen.withPort(server.activeLocalPort());
  }

  /** Closes the port; does not wait for the threads behind it, which take their time to be idle. */
  void close() {
    CompletableFuture<@Nullable Void> closed = new CompletableFuture<>();
    server.stop().whenComplete((done, failure) -> closed.complete(null));
    closed.completeOnTimeout(null, CLOSE_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS).join();
  }

  /** A process lives as long as the loops of its roles answer. */
  private CompletableFuture<HttpResponse> health() {
    return withinTimeout(allOf(roles.stream().map(HttpPages::answer).toList()))
        .handle((done, failure) -> failure == null ? text(HttpStatus.OK, "alive") : notAnswered());
  }

  private static CompletableFuture<?> answer(RunningRole role) {
    return CompletableFuture.runAsync(() -> {}, role.loop()::execute);
  }

  private HttpResponse ready() {
    String missing = readiness.missing();
    return missing.isEmpty()
        ? text(HttpStatus.OK, "ready")
        : text(HttpStatus.SERVICE_UNAVAILABLE, "not ready: " + missing);
  }

  private CompletableFuture<HttpResponse> status() {
    Map<Role, CompletableFuture<?>> statuses = new EnumMap<>(Role.class);
    roles.forEach(role -> statuses.put(role.role(), role.status()));
    return withinTimeout(allOf(statuses.values()))
        .handle((done, failure) -> failure == null ? json(report(statuses)) : notAnswered());
  }

  private StatusReport report(Map<Role, CompletableFuture<?>> statuses) {
    String missing = readiness.missing();
    return new StatusReport(
        build.version(),
        missing.isEmpty(),
        missing,
        answer(statuses.get(Role.CONTROLLER), ControllerStatus.class),
        answer(statuses.get(Role.AGGREGATOR), AggregatorStatus.class),
        answer(statuses.get(Role.ENVOY), DataPlaneStatus.class),
        answer(statuses.get(Role.CONFIGURATOR), ConfiguratorStatus.class));
  }

  private static <T> @Nullable T answer(@Nullable CompletableFuture<?> status, Class<T> type) {
    return status == null ? null : type.cast(status.join());
  }

  private static CompletableFuture<Void> allOf(Collection<? extends CompletableFuture<?>> futures) {
    return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new));
  }

  private static <T> CompletableFuture<T> withinTimeout(CompletableFuture<T> future) {
    return future.orTimeout(ANSWER_TIMEOUT_SECONDS, TimeUnit.SECONDS);
  }

  private static HttpResponse notAnswered() {
    return text(
        HttpStatus.SERVICE_UNAVAILABLE,
        "a role has not answered for " + ANSWER_TIMEOUT_SECONDS + " s");
  }

  private HttpResponse json(StatusReport report) {
    try {
      return HttpResponse.of(HttpStatus.OK, MediaType.JSON, json.writeValueAsBytes(report));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("plain values have a JSON form", e);
    }
  }

  private static HttpResponse text(HttpStatus status, String line) {
    return HttpResponse.of(status, MediaType.PLAIN_TEXT_UTF_8, line + "\n");
  }
}
