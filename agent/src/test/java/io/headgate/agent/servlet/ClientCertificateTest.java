package io.headgate.agent.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.agent.HeadgateAgent;
import io.headgate.agent.call.ScriptedFleet;
import io.headgate.agent.call.TestCertificates;
import io.headgate.agent.call.TestRules;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
class ClientCertificateTest {

  private static final String TRANSFERS = "GET /shop/api/transfers";
  private static final String CHECKOUT = "example.org/ns/prod/sa/checkout";

  @TempDir static Path directory;
  private static Path serverKey;
  private static Path checkoutKey;
  private static Path namelessKey;

  private final ScriptedFleet fleet =
      new ScriptedFleet(
          "payments",
          TestRules.rule("by-id", CHECKOUT, TRANSFERS),
          TestRules.rule("unknown", "unknown", TRANSFERS));
  private final HeadgateAgent agent = fleet.agent("payments");
  private JettyPayments jetty;

  @BeforeAll
  static void makeCertificates() throws Exception {
    serverKey = TestCertificates.make(directory, "server", "ip:127.0.0.1");
    checkoutKey = TestCertificates.make(directory, "checkout", "uri:spiffe://" + CHECKOUT);
    namelessKey = TestCertificates.make(directory, "nameless", "");
  }

  @BeforeEach
  void serve() throws Exception {
    SslContextFactory.Server tls = new SslContextFactory.Server();
    tls.setSslContext(TestCertificates.context(serverKey, List.of(checkoutKey, namelessKey)));
    tls.setNeedClientAuth(true);
    jetty = new JettyPayments(HeadgateFilter.of(agent), tls);
  }

  @AfterEach
  void close() throws Exception {
    jetty.close();
    fleet.close();
  }

  private HttpResponse<String> get(Path key, String header) throws Exception {
    HttpClient client =
        HttpClient.newBuilder()
            .sslContext(TestCertificates.context(key, List.of(serverKey)))
            .version(HttpClient.Version.HTTP_1_1)
            .build();
    return client.send(
        HttpRequest.newBuilder(
                URI.create("https://127.0.0.1:" + jetty.port() + "/shop/api/transfers"))
            .header("x-headgate-caller", header)
            .timeout(Duration.ofSeconds(20))
            .build(),
        BodyHandlers.ofString());
  }

  @Test
  void knowsTheCallerByItsCertificateWhateverTheHeaderSays() throws Exception {
    fleet.enforce("by-id", ScriptedFleet.DROP_ALL, agent.gate(CHECKOUT, TRANSFERS));

    HttpResponse<String> response = get(checkoutKey, "ledger");

    assertThat(response.statusCode()).isEqualTo(429);
    assertThat(response.body()).contains("\"rule\":\"by-id\"");
  }

  @Test
  void readsNoHeaderOfTheHolderOfACertificate() throws Exception {
    fleet.enforce("by-id", ScriptedFleet.DROP_ALL, agent.gate(CHECKOUT, TRANSFERS));
    fleet.enforce("unknown", ScriptedFleet.DROP_ALL, agent.gate("unknown", TRANSFERS));

    HttpResponse<String> response = get(namelessKey, CHECKOUT);

    assertThat(response.body()).contains("\"rule\":\"unknown\"");
  }
}
