package io.headgate.server.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Counts in a real Redis, which is killed, stopped and continued; each call has Envoy's 20 ms. */
@Tag("process")
class RedisOutageTest {

  private static final int CALLS = 100;

  private static final int ATTEMPTS = 5;

  @TempDir private Path directory;
  private RedisChild redis;
  private RateLimitServer server;
  private RateLimitClient client;

  @BeforeEach
  void startRedis() throws IOException {
    redis = RedisChild.start();
    Files.writeString(
        directory.resolve("shop.yaml"),
        """
        domain: shop
        descriptors:
          - key: user
            rate_limit: { unit: year, requests_per_unit: 5 }
          - key: warm
            rate_limit: { unit: year, requests_per_unit: 4294967295 }
        """);
  }

  @AfterEach
  void end() throws InterruptedException {
    if (server != null) {
      client.close();
      server.drain();
    }
    redis.close();
  }

  private void serve(String whenDown) {
    server =
        RateLimitServer.start(
            RateLimitSettings.read(
                Map.of(
                    "HEADGATE_RATELIMIT_RULES",
                    directory.toString(),
                    "REDIS_URL",
                    "127.0.0.1:" + redis.port(),
                    "HEADGATE_RATELIMIT_WHEN_DOWN",
                    whenDown,
                    "REDIS_HEALTH_CHECK_ACTIVE_CONNECTION",
                    "true",
                    "GRPC_PORT",
                    "0",
                    "PORT",
                    "0")));
    client = new RateLimitClient(server.grpcAddress());
    RateLimitRequest warm = RateLimitClient.request("shop", "warm", "x", 1);
    for (int i = 0; i < 500; i++) { // compiles what the calls go through
      client.ask(warm);
    }
  }

  private Code ask(String user) {
    return client
        .ask(
            RateLimitClient.request("shop", "user", user, 1),
            RateLimitClient.ENVOYS_PATIENCE_MILLIS)
        .getOverallCode();
  }

  @Test
  void replicasShareOneCount() throws Exception {
    RateLimitServer one = patient();
    RateLimitServer two = patient();
    try (RateLimitClient a = new RateLimitClient(one.grpcAddress());
        RateLimitClient b = new RateLimitClient(two.grpcAddress())) {
      RateLimitRequest request = RateLimitClient.request("shop", "user", "both", 1);
      int passed = 0;
      for (int i = 0; i < 5; i++) {
        passed += a.ask(request).getOverallCode() == Code.OK ? 1 : 0;
        passed += b.ask(request).getOverallCode() == Code.OK ? 1 : 0;
      }
      assertThat(passed).isEqualTo(5);
    } finally {
      one.drain();
      two.drain();
    }
  }

  /** One for which a slow moment of the machine is no outage. */
  private RateLimitServer patient() {
    return RateLimitServer.start(
        RateLimitSettings.read(
            Map.of(
                "HEADGATE_RATELIMIT_RULES", directory.toString(),
                "REDIS_URL", "127.0.0.1:" + redis.port(),
                "HEADGATE_RATELIMIT_ANSWER_WITHIN", "5s",
                "GRPC_PORT", "0",
                "PORT", "0")));
  }

  @ParameterizedTest
  @CsvSource({"open, 100", "closed, 0", "local, 5"})
  void aRedisThatStandsStillIsAnsweredForInTime(String whenDown, int passing) throws Exception {
    serve(whenDown);
    awaitCounting();
    redis.freeze();
    assertThat(passed("frozen", this::thawAndFreeze)).isEqualTo(passing);
    assertThat(healthy()).isFalse();
    redis.thaw();
    awaitCounting();
  }

  private void thawAndFreeze() throws Exception {
    redis.thaw();
    awaitCounting();
    redis.freeze();
  }

  private void awaitCounting() {
    Awaitility.await()
        .until(
            () -> {
              client.ask(RateLimitClient.request("shop", "warm", "again", 1));
              return healthy();
            });
  }

  /** As the page says it, with REDIS_HEALTH_CHECK_ACTIVE_CONNECTION. */
  private boolean healthy() throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(
                        URI.create("http://" + server.httpAddress() + "/healthcheck"))
                    .build(),
                HttpResponse.BodyHandlers.discarding())
            .statusCode()
        == 200;
  }

  @Test
  void aRedisThatIsGoneIsAnsweredForInTimeAndCountsAgainWhenItIsBack() throws Exception {
    serve("closed");
    redis.close();
    assertThat(passed("gone", () -> {})).isZero();

    redis = RedisChild.on(redis.port());
    Awaitility.await()
        .until(
            () ->
                client.ask(RateLimitClient.request("shop", "user", "gone", 1)).getOverallCode()
                    == Code.OK);
  }

  /** Brings about once more what calls are to be answered in. */
  private interface Again {
    void happen() throws Exception;
  }

  /**
   * Of so many calls in a row, all of which are answered in time, those that may pass. A late
   * answer is an error of the deadline. What else runs on the machine makes one late now and then,
   * a program that is late is so each time: it gets some attempts at a row without any.
   */
  private int passed(String user, Again again) throws Exception {
    for (int attempt = 1; ; attempt++) {
      try {
        int passed = 0;
        for (int i = 0; i < CALLS; i++) {
          passed += ask(user + attempt) == Code.OK ? 1 : 0;
        }
        return passed;
      } catch (StatusRuntimeException late) {
        if (attempt == ATTEMPTS) {
          throw late;
        }
        again.happen();
      }
    }
  }
}
