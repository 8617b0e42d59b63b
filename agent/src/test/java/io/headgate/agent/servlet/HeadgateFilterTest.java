package io.headgate.agent.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.agent.Gate;
import io.headgate.agent.HeadgateAgent;
import io.headgate.agent.call.CallerIdentity;
import io.headgate.agent.call.ScriptedFleet;
import io.headgate.agent.call.TestRules;
import io.headgate.core.shed.Directive;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeadgateFilterTest {

  private static final String TRANSFERS = "GET /shop/api/transfers";

  private final ScriptedFleet fleet =
      new ScriptedFleet(
          "payments",
          TestRules.rule("transfers", "checkout", TRANSFERS),
          TestRules.rule("one-transfer", "checkout", "GET /api/transfers/{id}"),
          TestRules.rule("async", "checkout", "GET /shop/api/async"),
          TestRules.rule("strangers", "unknown", TRANSFERS));
  private final HeadgateAgent agent = fleet.agent("payments");
  private final HttpClient client = HttpClient.newHttpClient();
  private JettyPayments jetty;

  @BeforeEach
  void serve() throws Exception {
    jetty = new JettyPayments(HeadgateFilter.of(agent));
  }

  @AfterEach
  void close() throws Exception {
    jetty.close();
    fleet.close();
  }

  private Gate gate(String procedure) {
    return agent.gate("checkout", procedure);
  }

  private void dropTransfers() {
    fleet.enforce("transfers", ScriptedFleet.DROP_ALL, gate(TRANSFERS));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + jetty.port() + path))
        .header("x-headgate-caller", "checkout")
        .timeout(Duration.ofSeconds(20));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), BodyHandlers.ofString());
  }

  @Test
  void leavesTheResponseAloneOfARequestThatPasses() throws Exception {
    HttpResponse<String> response = send(request("/shop/api/transfers"));

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEqualTo("ok");
    assertThat(response.headers().map().keySet())
        .containsExactlyInAnyOrder("server", "date", "content-type", "content-length");
  }

  @Test
  void refusesARequestAboveItsLimit() throws Exception {
    dropTransfers();

    HttpResponse<String> response = send(request("/shop/api/transfers"));

    assertThat(response.statusCode()).isEqualTo(429);
    assertThat(response.headers().firstValue("Retry-After")).hasValue("2");
    assertThat(response.headers().firstValue("RateLimit-Policy"))
        .hasValue("\"transfers\";q=200;w=1");
    assertThat(response.headers().firstValue("RateLimit")).hasValue("\"transfers\";r=0;t=2");
    assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    assertThat(response.body())
        .startsWith("{\"type\":\"")
        .endsWith("\"service\":\"payments\",\"rule\":\"transfers\",\"retryAfterSeconds\":2}");
    assertThat(jetty.served).isEmpty();
  }

  @Test
  void refusesARequestWhoseBodyIsStillToCome() throws Exception {
    fleet.enforce("transfers", ScriptedFleet.DROP_ALL, gate(TRANSFERS));

    HttpResponse<String> response =
        send(
            request("/shop/api/transfers")
                .method("GET", BodyPublishers.ofString("x".repeat(100_000))));

    assertThat(response.statusCode()).isEqualTo(429);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/shop/api/transfers?id=7",
        "/shop/api/transfers;jsessionid=abc",
        "/shop/api/transfers;v=1?id=7",
        "/shop/api/%74ransfers",
        "/shop/api/./transfers",
        "/shop/api/other/../transfers",
      })
  void limitsAPathInWhateverSpelling(String path) throws Exception {
    dropTransfers();

    assertThat(send(request(path)).statusCode()).isEqualTo(429);
    assertThat(jetty.served).isEmpty();
  }

  @Test
  void letsOtherMethodsPathsAndCallersThrough() throws Exception {
    dropTransfers();

    assertThat(send(request("/shop/api/transfers").DELETE()).statusCode()).isEqualTo(200);
    assertThat(send(request("/shop/api/transfers/7")).statusCode()).isEqualTo(200);
    assertThat(
            send(request("/shop/api/transfers").setHeader("x-headgate-caller", "ledger"))
                .statusCode())
        .isEqualTo(200);
    assertThat(jetty.served)
        .containsExactly(
            "DELETE /shop/api/transfers", "GET /shop/api/transfers/7", "GET /shop/api/transfers");
  }

  @Test
  void limitsCallersWithoutANameAsOne() throws Exception {
    fleet.enforce("strangers", ScriptedFleet.DROP_ALL, agent.gate("unknown", TRANSFERS));

    assertThat(
            send(request("/shop/api/transfers").setHeader("x-headgate-caller", " ")).statusCode())
        .isEqualTo(429);
    assertThat(
            send(request("/shop/api/transfers").setHeader("x-headgate-caller", "c".repeat(129)))
                .statusCode())
        .isEqualTo(429);
  }

  @Test
  void namesRoutesAsTheUserWishes() throws Exception {
    jetty.close();
    jetty =
        new JettyPayments(
            HeadgateFilter.of(
                agent,
                CallerIdentity.certificateOrHeader(),
                request ->
                    request.getMethod()
                        + " "
                        + request
                            .getRequestURI()
                            .replaceFirst("^/shop/api/transfers/\\d+$", "/api/transfers/{id}")));
    fleet.enforce("one-transfer", ScriptedFleet.DROP_ALL, gate("GET /api/transfers/{id}"));

    assertThat(send(request("/shop/api/transfers/7")).statusCode()).isEqualTo(429);
    assertThat(send(request("/shop/api/transfers/8")).statusCode()).isEqualTo(429);
    assertThat(send(request("/shop/api/transfers")).statusCode()).isEqualTo(200);
  }

  @Test
  void shedsRetriesAndTheLessCriticalFirst() throws Exception {
    fleet.enforce("transfers", new Directive(4, 0), gate(TRANSFERS));

    assertThat(send(request("/shop/api/transfers")).statusCode()).isEqualTo(200);
    assertThat(
            send(request("/shop/api/transfers").header("x-envoy-attempt-count", "2")).statusCode())
        .isEqualTo(429);
    assertThat(
            send(request("/shop/api/transfers").header("x-headgate-criticality", "5")).statusCode())
        .isEqualTo(429);
    assertThat(
            send(request("/shop/api/transfers").header("x-headgate-criticality", "0")).statusCode())
        .isEqualTo(200);
  }

  @Test
  void judgesAnAsynchronousRequestOnce() throws Exception {
    ScriptedFleet.awaitRules(agent, gate("GET /shop/api/async"));
    long before = ScriptedFleet.offered(agent, "async");

    HttpResponse<String> response = send(request("/shop/api/async"));

    assertThat(response.body()).isEqualTo("ok");
    assertThat(ScriptedFleet.offered(agent, "async") - before).isEqualTo(1);
  }

  @Test
  void refusesAnAsynchronousRequest() throws Exception {
    fleet.enforce("async", ScriptedFleet.DROP_ALL, gate("GET /shop/api/async"));

    assertThat(send(request("/shop/api/async")).statusCode()).isEqualTo(429);
    assertThat(jetty.served).isEmpty();
  }

  @Test
  void answersAHeadRequestWithoutABody() throws Exception {
    try (ScriptedFleet heads =
        new ScriptedFleet("payments", TestRules.rule("heads", "*", "HEAD /shop/*"))) {
      HeadgateAgent headsAgent = heads.agent("payments");
      heads.enforce(
          "heads", ScriptedFleet.DROP_ALL, headsAgent.gate("x", "HEAD /shop/api/transfers"));
      jetty.close();
      jetty = new JettyPayments(HeadgateFilter.of(headsAgent));

      HttpResponse<String> response =
          send(request("/shop/api/transfers").method("HEAD", BodyPublishers.noBody()));

      assertThat(response.statusCode()).isEqualTo(429);
      assertThat(response.headers().firstValue("Retry-After")).hasValue("2");
      assertThat(response.body()).isEmpty();
    }
  }
}
