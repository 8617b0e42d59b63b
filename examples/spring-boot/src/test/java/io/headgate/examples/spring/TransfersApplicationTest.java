package io.headgate.examples.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

class TransfersApplicationTest {

  private static HttpResponse<String> transfer(
      ConfigurableApplicationContext application, String customer) throws Exception {
    return send(
        HttpRequest.newBuilder(uri(application, "/api/transfers"))
            .header("X-Customer", customer)
            .POST(HttpRequest.BodyPublishers.noBody()));
  }

  /** As the application's metrics page says it. */
  private static String decisions(ConfigurableApplicationContext application, String outcome)
      throws Exception {
    String page = "/actuator/metrics/headgate.keyed.decisions?tag=outcome:" + outcome;
    return send(HttpRequest.newBuilder(uri(application, page)).GET()).body();
  }

  private static URI uri(ConfigurableApplicationContext application, String path) {
    String port = application.getEnvironment().getProperty("local.server.port");
    return URI.create("http://127.0.0.1:" + port + path);
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static ConfigurableApplicationContext start(String... arguments) {
    String[] all = new String[arguments.length + 1];
    all[0] = "--server.port=0";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    return SpringApplication.run(TransfersApplication.class, all);
  }

  @Test
  void theEleventhTransferOfACustomerInAMinuteIsRefused() throws Exception {
    try (ConfigurableApplicationContext application = start()) {
      for (int left = 9; left >= 0; left--) {
        HttpResponse<String> response = transfer(application, "42");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("RateLimit").orElseThrow())
            .startsWith("\"transfers\";r=" + left + ";t=");
      }

      HttpResponse<String> eleventh = transfer(application, "42");

      assertThat(eleventh.statusCode()).isEqualTo(429);
      assertThat(eleventh.headers().firstValue("RateLimit-Policy"))
          .hasValue("\"transfers\";q=10;w=60");
      assertThat(Integer.parseInt(eleventh.headers().firstValue("Retry-After").orElseThrow()))
          .isBetween(1, 60);
      assertThat(eleventh.headers().firstValue("RateLimit").orElseThrow())
          .startsWith("\"transfers\";r=0;t=");
      assertThat(eleventh.headers().firstValue("Content-Type"))
          .hasValue("application/problem+json");
      assertThat(eleventh.body()).contains("\"limit\":\"transfers\"");
      assertThat(decisions(application, "denied")).contains("\"value\":1.0");
      assertThat(transfer(application, "43").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void inShadowTheEleventhPassesAndIsCounted() throws Exception {
    try (ConfigurableApplicationContext application = start("--transfers.shadow=true")) {
      for (int request = 0; request < 12; request++) {
        HttpResponse<String> response = transfer(application, "42");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("RateLimit")).isEmpty();
      }
      assertThat(decisions(application, "allowed")).contains("\"value\":10.0");
      assertThat(decisions(application, "shadow-denied")).contains("\"value\":2.0");
    }
  }
}
