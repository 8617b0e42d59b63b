package io.headgate.server.keyed;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.headgate.fixtures.FreePorts;
import io.headgate.protocol.gubernator.GetRateLimitsReq;
import io.headgate.protocol.gubernator.RateLimitReq;
import io.headgate.protocol.gubernator.V1Grpc;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A node as its clients see it, over HTTP and gRPC. */
class KeyedServerTest {

  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static KeyedServer server;

  @BeforeAll
  static void start() {
    server =
        KeyedServer.start(
            KeyedSettings.read(
                new Variables(
                    Map.of(
                        "GUBER_GRPC_ADDRESS",
                        "127.0.0.1:" + FreePorts.next(),
                        "GUBER_HTTP_ADDRESS",
                        "127.0.0.1:0",
                        "HEADGATE_KEYED_GUBERNATOR_METRICS",
                        "true"))));
  }

  @AfterAll
  static void stop() throws InterruptedException {
    server.drain();
  }

  private static HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://" + server.httpAddress() + path));
  }

  private static HttpResponse<String> post(String body) throws Exception {
    return HTTP.send(
        request("/v1/GetRateLimits").POST(HttpRequest.BodyPublishers.ofString(body)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static HttpResponse<String> get(String path) throws Exception {
    return HTTP.send(request(path).build(), HttpResponse.BodyHandlers.ofString());
  }

  private static String item(String key, int limit) {
    return """
        {"name": "http", "unique_key": "%s", "hits": 1, "limit": %d, "duration": 60000}"""
        .formatted(key, limit);
  }

  @Test
  void bothSpellingsAndNumbersAsTextAreUnderstood() throws Exception {
    HttpResponse<String> answer =
        post(
            """
            {"requests": [{"name": "http", "uniqueKey": "spelling", "hits": "1", "limit": "10",
              "duration": 60000, "algorithm": "LEAKY_BUCKET", "behavior": 1, "unheard_of": 3}]}""");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("content-type")).hasValue("application/json");
    assertThat(answer.body())
        .matches(
            "\\{\"responses\":\\[\\{\"status\":\"UNDER_LIMIT\",\"limit\":\"10\",\"remaining\":\"9\","
                + "\"reset_time\":\"\\d{13}\",\"error\":\"\",\"metadata\":\\{}}]}");
  }

  @Test
  void overTheLimitIsNoHttpError() throws Exception {
    String two = "{\"requests\": [" + item("over", 1) + "," + item("over", 1) + "]}";
    HttpResponse<String> answer = post(two);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).contains("\"status\":\"OVER_LIMIT\"");
  }

  @Test
  void anItemThatCannotBeCountedSaysWhyInPlainLetters() throws Exception {
    HttpResponse<String> answer = post("{\"requests\": [" + item("", 1) + "]}");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).contains("\"error\":\"field 'unique_key' cannot be empty\"");
    HttpResponse<String> odd =
        post(
            """
            {"requests": [{"name": "<\\\\u0027>", "unique_key": "k", "algorithm": 5}]}""");
    assertThat(odd.body()).contains("rate limit for '<\\\\u0027>_k'");
  }

  @Test
  void noItemsAreNoError() throws Exception {
    assertThat(post("{\"requests\": []}").body()).isEqualTo("{\"responses\":[]}");
    assertThat(post("{}").body()).isEqualTo("{\"responses\":[]}");
  }

  @Test
  void aThousandItemsAreEnough() throws Exception {
    String items =
        IntStream.range(0, 1_001)
            .mapToObj(i -> item("many" + i, 1))
            .collect(Collectors.joining(","));
    HttpResponse<String> answer = post("{\"requests\": [" + items + "]}");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body())
        .isEqualTo(
            "{\"code\":11,\"message\":\"Requests.RateLimits list too large; max size is '1000'\","
                + "\"details\":[]}");
  }

  @Test
  void aBodyThatIsNoJsonIsAClientsMistake() throws Exception {
    HttpResponse<String> answer = post("{\"requests\": [{\"na");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body())
        .startsWith("{\"code\":3,\"message\":\"malformed body: Unterminated string at line 1")
        .endsWith(",\"details\":[]}");
  }

  @Test
  void aBodyOfTenMegabytesIsRefusedAndTheNodeServesOn() throws Exception {
    HttpResponse<String> answer = post("x".repeat(10_000_000));
    assertThat(answer.statusCode()).isEqualTo(429);
    assertThat(answer.body())
        .isEqualTo(
            "{\"code\":8,\"message\":\"grpc: received message larger than max (10000000 vs."
                + " 1048576)\",\"details\":[]}");
    HttpResponse<String> small = post("{\"requests\": [" + item("k".repeat(1_100_000), 1) + "]}");
    assertThat(small.statusCode()).isEqualTo(429);
    assertThat(post("{\"requests\": [" + item("after", 10) + "]}").body())
        .contains("\"remaining\":\"9\"");
  }

  @Test
  void whoeverSendsByteByByteHoldsNobodyUp() throws Exception {
    try (Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), server.httpAddress().port())) {
      OutputStream out = socket.getOutputStream();
      out.write(
          "POST /v1/GetRateLimits HTTP/1.1\r\nHost: a\r\nContent-Length: 99\r\n\r\n{"
              .getBytes(StandardCharsets.US_ASCII));
      out.flush();
      assertThat(post("{\"requests\": [" + item("meanwhile", 10) + "]}").statusCode())
          .isEqualTo(200);
    }
  }

  @Test
  void whatIsNotThereSaysSo() throws Exception {
    assertThat(get("/v1/Nothing").statusCode()).isEqualTo(404);
    assertThat(get("/v1/Nothing").body())
        .isEqualTo("{\"code\":5,\"message\":\"Not Found\",\"details\":[]}");
    assertThat(get("/v1/GetRateLimits").statusCode()).isEqualTo(501);
    assertThat(get("/v1/GetRateLimits").body())
        .isEqualTo("{\"code\":12,\"message\":\"Method Not Allowed\",\"details\":[]}");
  }

  @Test
  void healthHasAllItsFields() throws Exception {
    String self = server.grpcAddress().toString();
    assertThat(get("/v1/HealthCheck").body())
        .isEqualTo(
            ("{\"status\":\"healthy\",\"message\":\"\",\"peer_count\":1,\"advertise_address\":\"%s\","
                    + "\"local_peers\":[{\"grpc_address\":\"%s\",\"data_center\":\"\"}],"
                    + "\"region_peers\":[]}")
                .formatted(self, self));
    assertThat(get("/v1/LiveCheck").body()).isEqualTo("{}");
  }

  @Test
  void metricsComeUnderBothNames() throws Exception {
    post("{\"requests\": [" + item("metrics", 10) + "]}");
    String metrics = get("/metrics").body();
    assertThat(metrics)
        .containsPattern("headgate_ring_events_total\\{event=\"local\"} [1-9]")
        .containsPattern("gubernator_getratelimit_counter\\{calltype=\"local\"} [1-9]")
        .contains("gubernator_cache_size ");
  }

  @Test
  void grpcAndItsHealthAreOnOnePort() throws Exception {
    ManagedChannel channel =
        Grpc.newChannelBuilder(server.grpcAddress().toString(), InsecureChannelCredentials.create())
            .build();
    try {
      RateLimitReq request =
          RateLimitReq.newBuilder()
              .setName("grpc")
              .setUniqueKey("k")
              .setHits(1)
              .setLimit(10)
              .setDuration(60_000)
              .build();
      assertThat(
              V1Grpc.newBlockingStub(channel)
                  .getRateLimits(GetRateLimitsReq.newBuilder().addRequests(request).build())
                  .getResponses(0)
                  .getRemaining())
          .isEqualTo(9);
      assertThat(
              HealthGrpc.newBlockingStub(channel)
                  .check(HealthCheckRequest.getDefaultInstance())
                  .getStatus())
          .isEqualTo(ServingStatus.SERVING);
      assertThat(get("/metrics").body())
          .containsPattern(
              "headgate_ring_calls_seconds_count\\{method=\"pb.gubernator.V1/GetRateLimits\",status=\"success\"} [1-9]")
          .containsPattern(
              "gubernator_grpc_request_counts\\{status=\"success\",method=\"/pb.gubernator.V1/GetRateLimits\"} [1-9]")
          .containsPattern(
              "gubernator_grpc_request_duration\\{method=\"/pb.gubernator.V1/GetRateLimits\",quantile=\"0.99\"} [0-9.E-]+");
    } finally {
      channel.shutdownNow();
    }
  }
}
