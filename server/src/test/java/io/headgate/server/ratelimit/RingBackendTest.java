package io.headgate.server.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.headgate.fixtures.FreePorts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two services, each with a node of the cluster that counts for both. */
class RingBackendTest {

  @TempDir private Path directory;
  private int strangers;

  private RateLimitServer start(int node, String peers) {
    return RateLimitServer.start(
        RateLimitSettings.read(
            Map.of(
                "HEADGATE_RATELIMIT_RULES", directory.toString(),
                "HEADGATE_RATELIMIT_BACKEND", "ring",
                "GUBER_GRPC_ADDRESS", "127.0.0.1:" + node,
                "GUBER_HTTP_ADDRESS", "127.0.0.1:0",
                "GUBER_BATCH_TIMEOUT", "5s", // a slow moment of the machine is no outage
                "HEADGATE_KEYED_PEERS", peers,
                "GRPC_PORT", "0",
                "PORT", "0")));
  }

  @Test
  void theServicesCountTogether() throws Exception {
    Files.writeString(
        directory.resolve("shop.yaml"),
        "domain: shop\ndescriptors: [{key: user, rate_limit: {unit: year, requests_per_unit: 5}}]");
    int one = FreePorts.next();
    int two = FreePorts.next();
    String peers = "127.0.0.1:" + one + ",127.0.0.1:" + two;
    RateLimitServer first = start(one, peers);
    RateLimitServer second = start(two, peers);
    try (RateLimitClient a = new RateLimitClient(first.grpcAddress());
        RateLimitClient b = new RateLimitClient(second.grpcAddress())) {
      await().until(() -> eachReachesTheOther(a, b));
      for (String user : new String[] {"ann", "bob", "cyd", "dee"}) { // of both nodes
        int passed = 0;
        for (int i = 0; i < 4; i++) {
          passed += passes(a, user) ? 1 : 0;
          passed += passes(b, user) ? 1 : 0;
        }
        assertThat(passed).as(user).isEqualTo(5);
      }
    } finally {
      first.drain();
      second.drain();
    }
  }

  /**
   * A node that cannot reach the owner of a key counts by itself; the first to start is in that
   * position until it has connected to the second.
   */
  private boolean eachReachesTheOther(RateLimitClient a, RateLimitClient b) {
    int from = strangers;
    strangers += 16; // eight of each node on average
    return IntStream.range(from, strangers)
        .mapToObj(number -> "stranger-" + number)
        .allMatch(
            user ->
                IntStream.range(0, 5).allMatch(i -> passes(i % 2 == 0 ? a : b, user))
                    && !passes(a, user)
                    && !passes(b, user));
  }

  private static boolean passes(RateLimitClient client, String user) {
    return client.ask(RateLimitClient.request("shop", "user", user, 1)).getOverallCode() == Code.OK;
  }
}
