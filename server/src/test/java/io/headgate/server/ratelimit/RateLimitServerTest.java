package io.headgate.server.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.headgate.server.terminal.UserError;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The service as its clients see it, over gRPC and HTTP. */
class RateLimitServerTest {

  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final String RULES =
      """
      domain: shop
      descriptors:
        - key: user
          detailed_metric: true
          rate_limit: { name: per-user, unit: year, requests_per_unit: 3 }
        - key: edited
          rate_limit: { unit: year, requests_per_unit: 1 }
      """;

  @TempDir private static Path directory;
  private static RateLimitServer server;
  private static RateLimitClient client;

  @BeforeAll
  static void start() throws IOException {
    Files.writeString(directory.resolve("shop.yaml"), RULES);
    server = RateLimitServer.start(settings(Map.of("HEADGATE_RATELIMIT_ORIGINAL_METRICS", "true")));
    client = new RateLimitClient(server.grpcAddress());
  }

  @AfterAll
  static void stop() throws InterruptedException {
    client.close();
    server.drain();
  }

  private static RateLimitSettings settings(Map<String, String> more) {
    Map<String, String> variables = new HashMap<>(more);
    variables.put("HEADGATE_RATELIMIT_RULES", directory.toString());
    variables.put("GRPC_PORT", "0");
    variables.put("PORT", "0");
    return RateLimitSettings.read(variables);
  }

  private static HttpResponse<String> http(String path, String body) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://" + server.httpAddress() + path));
    if (!body.isEmpty()) {
      request.POST(HttpRequest.BodyPublishers.ofString(body));
    }
    return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void grpcCountsAndAnswers() {
    RateLimitRequest request = RateLimitClient.request("shop", "user", "grpc", 2);

    RateLimitResponse first = client.ask(request);
    assertThat(first.getOverallCode()).isEqualTo(Code.OK);
    assertThat(first.getStatuses(0).getLimitRemaining()).isEqualTo(1);
    assertThat(client.ask(request).getOverallCode()).isEqualTo(Code.OVER_LIMIT);
  }

  @Test
  void aRequestThatCannotBeDecidedOnIsTheClientsMistake() {
    assertThatThrownBy(() -> client.ask(RateLimitRequest.getDefaultInstance()))
        .isInstanceOf(StatusRuntimeException.class)
        .extracting(failure -> ((StatusRuntimeException) failure).getStatus())
        .satisfies(
            status -> {
              assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
              assertThat(status.getDescription()).isEqualTo("rate limit domain must not be empty");
            });
  }

  @Test
  void healthIsToldOnBothPorts() throws Exception {
    for (String service :
        new String[] {"", "ratelimit", "envoy.service.ratelimit.v3.RateLimitService"}) {
      assertThat(
              HealthGrpc.newBlockingStub(client.channel())
                  .check(HealthCheckRequest.newBuilder().setService(service).build())
                  .getStatus())
          .isEqualTo(ServingStatus.SERVING);
    }
    assertThat(http("/healthcheck", "").statusCode()).isEqualTo(200);
    assertThat(http("/healthcheck", "").body()).isEqualTo("OK");
  }

  /** As people do it, with curl. */
  @Test
  void jsonIsAnsweredWithTheCodesOfTheOriginal() throws Exception {
    String request =
        """
        {"domain": "shop", "descriptors": [{"entries": [{"key": "user", "value": "curl"}]}],
          "hitsAddend": 2}""";
    String answer = curl(request);
    assertThat(answer)
        .matches(
            "\\{\"overallCode\":\"OK\",\"statuses\":\\[\\{\"code\":\"OK\",\"currentLimit\":"
                + "\\{\"requestsPerUnit\":3,\"unit\":\"YEAR\",\"name\":\"per-user\"},"
                + "\"limitRemaining\":1,\"durationUntilReset\":\"\\d+s\"}]} 200");
    assertThat(curl(request)).contains("\"overallCode\":\"OVER_LIMIT\"").endsWith(" 429");
    assertThat(curl("{\"domain\": 5")).startsWith("malformed body: ").endsWith(" 400");
    assertThat(curl("{\"domain\": \"shop\"}"))
        .isEqualTo("rate limit descriptor list must not be empty\n 500");
    assertThat(http("/json", "").statusCode()).isEqualTo(405);
  }

  @Test
  void negativeHitsInJsonGiveBackWhatWasTaken() throws Exception {
    String descriptor = "{\"entries\": [{\"key\": \"user\", \"value\": \"returns\"}]";
    String request = "{\"domain\": \"shop\", \"descriptors\": [" + descriptor + "%s}]}";
    String threeBack = ", \"hitsAddend\": 3, \"isNegativeHits\": true";
    assertThat(curl(request.formatted(", \"hitsAddend\": 3"))).contains("OK").endsWith(" 200");
    assertThat(curl(request.formatted(""))).endsWith(" 429");

    assertThat(curl(request.formatted(threeBack)))
        .contains("\"limitRemaining\":3")
        .endsWith(" 200");

    assertThat(curl(request.formatted(""))).contains("\"limitRemaining\":2").endsWith(" 200");
    assertThat(curl(request.formatted(", \"isNegativeHits\": 3")))
        .startsWith("malformed body: ")
        .endsWith(" 400");
  }

  private static String curl(String body) throws Exception {
    Process process =
        new ProcessBuilder(
                "curl", "-s", "-w", " %{http_code}", server.httpAddress() + "/json", "-d", body)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    return out;
  }

  @Test
  void metricsSayWhatBecameOfHits() throws Exception {
    client.ask(RateLimitClient.request("shop", "user", "metrics\"", 3));
    assertThat(http("/metrics", "").body())
        .contains(
            "headgate_ratelimit_hits_total{descriptor=\"shop.user_metrics\\\"\",outcome=\"within\"}"
                + " 3",
            "ratelimit_service_rate_limit_near_limit{domain=\"shop\",key1=\"user_metrics\\\"\"} 1")
        .containsPattern("headgate_ratelimit_events_total\\{event=\"ok\"} [1-9]");
  }

  @Test
  void editedRulesActAtOnceAndBrokenOnesChangeNothing() throws Exception {
    RateLimitRequest request = RateLimitClient.request("shop", "edited", "x", 0);
    Path file = directory.resolve("shop.yaml");
    assertThat(limit(request)).isEqualTo(1);

    Files.writeString(file, RULES.replace("requests_per_unit: 1", "requests_per_unit: 7"));
    Awaitility.await().untilAsserted(() -> assertThat(limit(request)).isEqualTo(7));

    Files.writeString(file, RULES.replace("key: edited", "kee: edited"));
    Awaitility.await()
        .untilAsserted(
            () ->
                assertThat(http("/metrics", "").body())
                    .containsPattern("headgate_ratelimit_rule_problems [1-9]"));
    assertThat(limit(request)).isEqualTo(7);
    assertThatThrownBy(() -> RateLimitServer.start(settings(Map.of())))
        .isInstanceOf(UserError.class)
        .hasMessageContaining(
            "shop.yaml:6:5: unknown key 'kee' (expected: key, value, rate_limit,");

    Files.writeString(file, RULES);
    Awaitility.await().untilAsserted(() -> assertThat(limit(request)).isEqualTo(1));
  }

  private static long limit(RateLimitRequest request) {
    return client.ask(request).getStatuses(0).getCurrentLimit().getRequestsPerUnit();
  }
}
