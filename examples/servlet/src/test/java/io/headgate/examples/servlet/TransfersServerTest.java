package io.headgate.examples.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.agent.HeadgateAgent;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.eclipse.jetty.server.Server;
import org.junit.jupiter.api.Test;

class TransfersServerTest {

  @Test
  void servesEveryoneWhileThereIsNoControlPlane() throws Exception {
    try (HeadgateAgent agent = HeadgateAgent.builder().service("transfers").build()) {
      Server server = TransfersServer.start(0, agent);
      try {
        HttpResponse<String> response =
            HttpClient.newHttpClient()
                .send(
                    HttpRequest.newBuilder(server.getURI().resolve("/api/transfers/7")).build(),
                    BodyHandlers.ofString());

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualToIgnoringNewLines("transfer /7");
      } finally {
        server.stop();
      }
    }
  }
}
