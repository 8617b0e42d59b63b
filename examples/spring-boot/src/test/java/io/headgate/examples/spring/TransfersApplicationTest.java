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
    String port = application.getEnvironment().getProperty("local.server.port");
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/transfers"))
                .header("X-Customer", customer)
                .POST(HttpRequest.BodyPublishers.noBody())
                .build(),
            HttpResponse.BodyHandlers.ofString());
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
      assertThat(eleventh.body()).contains("\"limit\":\"transfers\"");
      assertThat(transfer(application, "43").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void inShadowTheEleventhPasses() throws Exception {
    try (ConfigurableApplicationContext application =
        start(
            "--headgate.keyed.policies[0].shadow=true",
            "--headgate.keyed.policies[0].name=transfers",
            "--headgate.keyed.policies[0].key=header:X-Customer",
            "--headgate.keyed.policies[0].limit=10")) {
      for (int request = 0; request < 12; request++) {
        assertThat(transfer(application, "42").statusCode()).isEqualTo(200);
      }
    }
  }
}
