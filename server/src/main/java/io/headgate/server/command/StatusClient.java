package io.headgate.server.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.headgate.server.run.StatusReport;
import io.headgate.server.terminal.UserError;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Asks a running server for its status. */
final class StatusClient {

  private static final Duration TIMEOUT = Duration.ofSeconds(6);

  private final ObjectMapper json =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();
  private final HttpClient http;

  /** A client; the context is for https, null for the platform's own. */
  StatusClient(@Nullable SSLContext tls) {
    HttpClient.Builder builder =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT);
    if (tls != null) {
      builder.sslContext(tls);
    }
    http = builder.build();
  }

  /**
   * The server's status as JSON.
   *
   * @throws UserError if it does not answer, or not with a status
   */
  JsonNode fetch(URI server) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(server.resolve("/status")).timeout(TIMEOUT).build();
    String body;
    try {
      HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() != 200) {
        throw UserError.failed(
            server + " answered " + response.statusCode() + ": " + response.body().strip());
      }
      body = response.body();
    } catch (ConnectException e) {
      throw UserError.failed(
          "nothing listens on " + server + " (expected: the --http address of a headgate server)");
    } catch (IOException e) {
      throw UserError.failed("no answer from " + server + ": " + e.getMessage());
    }
    try {
      return json.readTree(body);
    } catch (JsonProcessingException e) {
      throw noStatus(server);
    }
  }

  /** The same in form. */
  StatusReport parse(URI server, JsonNode status) {
    try {
      return json.treeToValue(status, StatusReport.class);
    } catch (JsonProcessingException e) {
      throw noStatus(server);
    }
  }

  private static UserError noStatus(URI server) {
    return UserError.failed(
        server + " answered something else than a status (expected: a headgate server)");
  }
}
