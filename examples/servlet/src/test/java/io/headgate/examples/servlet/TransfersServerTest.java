package io.headgate.examples.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.agent.HeadgateAgent;
import io.headgate.core.rule.Location;
import io.headgate.server.run.HeadgateServer;
import io.headgate.server.run.HostPort;
import io.headgate.server.run.Role;
import io.headgate.server.run.ServerSettings;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;
import org.eclipse.jetty.server.Server;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class TransfersServerTest {

  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  void servesEveryoneWhileThereIsNoControlPlane() throws Exception {
    try (HeadgateAgent agent = HeadgateAgent.builder().service("transfers").build()) {
      Server server = TransfersServer.start(0, agent);
      try {
        HttpResponse<String> response = get(server.getURI().resolve("/api/transfers/7"));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualToIgnoringNewLines("transfer /7");
      } finally {
        server.stop();
      }
    }
  }

  @Test
  @Tag("process")
  void refusesTransfersAboveTheLimitUnderAControlPlane() throws Exception {
    HeadgateServer controlPlane = startControlPlane();
    try (HeadgateAgent agent =
        HeadgateAgent.builder()
            .service("transfers")
            .region("local")
            .zone("local-1")
            .aggregators(controlPlane.grpcAddress().toString())
            .build()) {
      Server server = TransfersServer.start(0, agent);
      try {
        Awaitility.await()
            .atMost(Duration.ofSeconds(60))
            .pollInterval(Duration.ofMillis(10))
            .until(() -> get(server.getURI().resolve("/api/transfers/7")).statusCode() == 429);
      } finally {
        server.stop();
      }
    } finally {
      controlPlane.drain();
    }
  }

  private HttpResponse<String> get(URI uri) throws Exception {
    return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  private static HeadgateServer startControlPlane() {
    return HeadgateServer.start(
        new ServerSettings(
            Set.of(Role.AGGREGATOR, Role.CONTROLLER),
            "example",
            1,
            new Location("local", "local-1"),
            new HostPort("127.0.0.1", 0),
            new HostPort("127.0.0.1", 0),
            List.of(),
            new HostPort("127.0.0.1", 0),
            List.of(),
            List.of(),
            Path.of("rules"),
            1,
            Duration.ofSeconds(1),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            null,
            null));
  }
}
