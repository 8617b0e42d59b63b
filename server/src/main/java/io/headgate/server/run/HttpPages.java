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
import io.headgate.control.status.AggregatorStatus;
import io.headgate.control.status.ControllerStatus;
import io.headgate.server.terminal.UserError;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.handler.ssl.ClientAuth;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** The pages of a process: metrics, health, readiness and status. */
final class HttpPages {

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
            .gracefulShutdownTimeoutMillis(0, 0)
            .service("/", (ctx, req) -> HttpResponse.of(INDEX))
            .service("/metrics", PrometheusExpositionService.of(metrics.getPrometheusRegistry()))
            .service("/healthz", (ctx, req) -> HttpResponse.of(health()))
            .service("/readyz", (ctx, req) -> HttpResponse.of(ready()))
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

  void close() {
    server.stop().join();
  }

  /** A process lives as long as the loops of its roles answer. */
  private CompletableFuture<HttpResponse> health() {
    return CompletableFuture.allOf(
            roles.stream()
                .map(role -> OnLoop.call(role.loop(), () -> true))
                .toArray(CompletableFuture[]::new))
        .handle(
            (done, failure) ->
                failure == null
                    ? text(HttpStatus.OK, "alive")
                    : text(
                        HttpStatus.SERVICE_UNAVAILABLE,
                        "a role has not answered for " + OnLoop.TIMEOUT_SECONDS + " s"));
  }

  private CompletableFuture<HttpResponse> ready() {
    return readiness
        .missing()
        .handle(
            (missing, failure) -> {
              if (failure != null) {
                return text(
                    HttpStatus.SERVICE_UNAVAILABLE,
                    "not ready: a role has not answered for " + OnLoop.TIMEOUT_SECONDS + " s");
              }
              return missing.isEmpty()
                  ? text(HttpStatus.OK, "ready")
                  : text(HttpStatus.SERVICE_UNAVAILABLE, "not ready: " + missing);
            });
  }

  private CompletableFuture<HttpResponse> status() {
    CompletableFuture<String> missing = readiness.missing();
    CompletableFuture<@Nullable ControllerStatus> controller =
        status(Role.CONTROLLER, ControllerStatus.class);
    CompletableFuture<@Nullable AggregatorStatus> aggregator =
        status(Role.AGGREGATOR, AggregatorStatus.class);
    return CompletableFuture.allOf(missing, controller, aggregator)
        .thenApply(
            done ->
                new StatusReport(
                    build.version(),
                    missing.join().isEmpty(),
                    missing.join(),
                    controller.join(),
                    aggregator.join()))
        .handle(
            (report, failure) ->
                failure == null
                    ? json(report)
                    : text(
                        HttpStatus.SERVICE_UNAVAILABLE,
                        "a role has not answered for " + OnLoop.TIMEOUT_SECONDS + " s"));
  }

  private <T> CompletableFuture<@Nullable T> status(Role role, Class<T> type) {
    for (RunningRole running : roles) {
      if (running.role() == role) {
        return OnLoop.call(running.loop(), () -> type.cast(running.status()));
      }
    }
    return CompletableFuture.completedFuture(null);
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
