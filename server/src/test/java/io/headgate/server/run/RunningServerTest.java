package io.headgate.server.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code headgate server} as a process, as people run it. */
@Tag("process")
class RunningServerTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;
  private Path rules;
  private ServerChild server;

  @BeforeEach
  void writeRules() throws IOException {
    rules = Files.createDirectory(directory.resolve("rules"));
    Files.writeString(
        rules.resolve("payments.yaml"),
        """
        service: payments
        rules:
          - name: charge
            limit: 50/s
        """);
  }

  @AfterEach
  void end() throws InterruptedException {
    if (server != null) {
      server.kill();
    }
  }

  private void start(String... arguments) throws IOException {
    server = ServerChild.start(directory.resolve("server.log"), arguments);
  }

  private void startBothRoles() throws Exception {
    start(
        "--role=aggregator,controller",
        "--region=eu",
        "--zone=eu-1",
        "--id=one",
        "--rules=" + rules,
        "--listen=127.0.0.1:0",
        "--http=127.0.0.1:0",
        "--exit-with-parent");
    server.awaitReady();
  }

  @Test
  void bothRolesInOneProcessServeTheirPages() throws Exception {
    startBothRoles();

    await().atMost(PATIENCE).until(() -> get("/readyz").statusCode() == 200);
    assertThat(get("/readyz").body()).isEqualTo("ready\n");
    assertThat(get("/healthz").statusCode()).isEqualTo(200);
    assertThat(get("/").body()).contains("/metrics");
    assertThat(get("/nothing").statusCode()).isEqualTo(404);

    String metrics = get("/metrics").body();
    assertThat(metrics)
        .contains("headgate_build_info{")
        .contains("headgate_controller_config_version{controller=\"one\"}")
        .contains("headgate_aggregator_clients{aggregator=\"one\"} 0")
        .contains("jvm_memory_used_bytes{")
        .contains("process_cpu_usage")
        .contains("process_uptime_seconds");

    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              JsonNode status = new ObjectMapper().readTree(get("/status").body());
              assertThat(status.at("/ready").asBoolean()).isTrue();
              assertThat(status.at("/controller/id").asText()).isEqualTo("one");
              assertThat(status.at("/controller/rules").asInt()).isEqualTo(1);
              assertThat(status.at("/controller/aggregators/0/id").asText()).isEqualTo("one");
              assertThat(status.at("/aggregator/following").asText()).isEqualTo("one");
              assertThat(status.at("/aggregator/digest"))
                  .isEqualTo(status.at("/controller/digest"));
            });
  }

  @Test
  void healthByGrpcFollowsReadiness() throws Exception {
    startBothRoles();
    ManagedChannel channel =
        Grpc.newChannelBuilder(server.grpcAddress(), InsecureChannelCredentials.create()).build();
    try {
      HealthGrpc.HealthBlockingStub health = HealthGrpc.newBlockingStub(channel);
      await()
          .atMost(PATIENCE)
          .until(
              () ->
                  health.check(HealthCheckRequest.getDefaultInstance()).getStatus()
                      == ServingStatus.SERVING);
    } finally {
      channel.shutdownNow();
    }
  }

  @Test
  void aBrokenRuleFileIsSeenInStatusMetricsAndLog() throws Exception {
    startBothRoles();
    Files.writeString(
        rules.resolve("payments.yaml"),
        """
        service: payments
        rules:
          - name: charge
            limit: fifty
        """);
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              JsonNode controller =
                  new ObjectMapper().readTree(get("/status").body()).get("controller");
              assertThat(controller.at("/problems/0/file").asText()).isEqualTo("payments.yaml");
              assertThat(controller.at("/problems/0/line").asInt()).isEqualTo(4);
              assertThat(controller.at("/problems/0/column").asInt()).isEqualTo(12);
              assertThat(controller.at("/rules").asInt()).isEqualTo(1);
              assertThat(get("/metrics").body())
                  .contains("headgate_controller_rule_problems{controller=\"one\"} 1");
              assertThat(server.log()).contains("payments.yaml:4:12: limit: 'fifty'");
            });
  }

  @Test
  void aSignalDrainsAndTheExitCodeIsZero() throws Exception {
    startBothRoles();
    server.process().destroy();
    assertThat(server.process().waitFor(15, TimeUnit.SECONDS)).isTrue();
    assertThat(server.process().exitValue()).isZero();
    assertThat(server.log()).contains("draining").contains("ended");
  }

  @Test
  void itEndsWithItsParent() throws Exception {
    startBothRoles();
    server.process().getOutputStream().close();
    assertThat(server.process().waitFor(15, TimeUnit.SECONDS)).isTrue();
    assertThat(server.process().exitValue()).isZero();
  }

  @Test
  void anAggregatorWithoutAControllerLivesAndIsNotReady() throws Exception {
    start(
        "--role=aggregator",
        "--region=eu",
        "--zone=eu-1",
        "--controllers=127.0.0.1:1",
        "--listen=127.0.0.1:0",
        "--http=127.0.0.1:0",
        "--exit-with-parent",
        "--log=json");
    server.awaitReady();
    assertThat(get("/healthz").statusCode()).isEqualTo(200);
    HttpResponse<String> readiness = get("/readyz");
    assertThat(readiness.statusCode()).isEqualTo(503);
    assertThat(readiness.body())
        .isEqualTo("not ready: aggregator: no controller has sent rules yet\n");
    assertThat(server.log().lines())
        .isNotEmpty()
        .allSatisfy(
            line ->
                assertThat(new ObjectMapper().readTree(line).get("message").asText()).isNotEmpty());
  }

  @Test
  void aPortThatIsTakenIsSaidInOneLine() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + taken.getLocalPort();
      start(
          "--role=controller",
          "--region=eu",
          "--rules=" + rules,
          "--listen=127.0.0.1:0",
          "--http=" + address);
      assertThatThrownBy(() -> server.awaitReady()).hasMessageContaining("ended");
      assertThat(server.process().waitFor(15, TimeUnit.SECONDS)).isTrue();
      assertThat(server.process().exitValue()).isEqualTo(1);
      assertThat(server.log().lines().filter(line -> !line.matches("^\\d{4}-.*")))
          .singleElement()
          .asString()
          .startsWith("headgate server: --http: cannot listen on " + address + ": ")
          .contains("in use");
    }
  }

  private HttpResponse<String> get(String page) throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://" + server.httpAddress() + page)).build(),
            HttpResponse.BodyHandlers.ofString());
  }
}
