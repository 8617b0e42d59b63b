package io.headgate.server.keyed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.headgate.fixtures.FreePorts;
import io.headgate.fixtures.TestPem;
import io.headgate.protocol.gubernator.GetRateLimitsReq;
import io.headgate.protocol.gubernator.RateLimitReq;
import io.headgate.protocol.gubernator.RateLimitResp;
import io.headgate.protocol.gubernator.V1Grpc;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes that serve only those who show a certificate, as their clients and curl see them. */
class KeyedServerTlsTest {

  @TempDir private Path directory;

  private static KeyedServer start(TestPem pem, String address, String peers, String status) {
    Map<String, String> variables = new HashMap<>();
    variables.put("GUBER_GRPC_ADDRESS", address);
    variables.put("GUBER_HTTP_ADDRESS", "127.0.0.1:0");
    variables.put("HEADGATE_KEYED_PEERS", peers);
    variables.put("GUBER_TLS_CERT", pem.certificate().toString());
    variables.put("GUBER_TLS_KEY", pem.key().toString());
    variables.put("GUBER_TLS_CA", pem.certificate().toString());
    variables.put("GUBER_TLS_CLIENT_AUTH", "require-and-verify");
    if (!status.isEmpty()) {
      variables.put("GUBER_STATUS_HTTP_ADDRESS", status);
    }
    return KeyedServer.start(KeyedSettings.read(new Variables(variables)));
  }

  @Test
  void nodesAndClientsKnowOneAnotherByTheirCertificates() throws Exception {
    TestPem pem = TestPem.make(directory, "node");
    String one = "127.0.0.1:" + FreePorts.next();
    String two = "127.0.0.1:" + FreePorts.next();
    String status = "127.0.0.1:" + FreePorts.next();
    KeyedServer first = start(pem, one, one + "," + two, status);
    KeyedServer second = start(pem, two, one + "," + two, "");
    ManagedChannel known =
        Grpc.newChannelBuilder(
                one,
                TlsChannelCredentials.newBuilder()
                    .keyManager(pem.certificate().toFile(), pem.key().toFile())
                    .trustManager(pem.certificate().toFile())
                    .build())
            .build();
    try {
      await()
          .untilAsserted(
              () -> {
                for (int i = 0; i < 8; i++) {
                  assertThat(ask(known, "key" + i).getError()).isEmpty();
                }
              });
      String trust = pem.certificate().toString();
      assertThat(curl("--cacert", trust, "https://" + first.httpAddress() + "/v1/HealthCheck"))
          .doesNotContain("healthy");
      assertThat(
              curl(
                  "--cacert",
                  trust,
                  "--cert",
                  trust,
                  "--key",
                  pem.key().toString(),
                  "https://" + first.httpAddress() + "/v1/HealthCheck"))
          .contains("\"status\":\"healthy\"");
      assertThat(curl("--cacert", trust, "https://" + status + "/v1/HealthCheck"))
          .contains("\"status\":\"healthy\"");
      assertThat(curl("--cacert", trust, "https://" + status + "/metrics")).contains("\"code\":5");
    } finally {
      known.shutdownNow();
      second.drain();
      first.drain();
    }
  }

  private static RateLimitResp ask(ManagedChannel channel, String key) {
    try {
      return V1Grpc.newBlockingStub(channel)
          .withDeadlineAfter(5, TimeUnit.SECONDS)
          .getRateLimits(
              GetRateLimitsReq.newBuilder()
                  .addRequests(
                      RateLimitReq.newBuilder()
                          .setName("tls")
                          .setUniqueKey(key)
                          .setHits(1)
                          .setLimit(1_000_000)
                          .setDuration(60_000))
                  .build())
          .getResponses(0);
    } catch (StatusRuntimeException e) {
      throw new AssertionError(e);
    }
  }

  private static String curl(String... arguments) throws Exception {
    List<String> command = new java.util.ArrayList<>(List.of("curl", "-s", "-m", "10"));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).start();
    String out = new String(process.getInputStream().readAllBytes());
    process.waitFor();
    return out;
  }
}
