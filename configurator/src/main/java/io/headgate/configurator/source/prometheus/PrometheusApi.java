package io.headgate.configurator.source.prometheus;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.headgate.configurator.source.SourceException;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Range queries over Prometheus's HTTP API, version 1. */
final class PrometheusApi {

  private static final Pattern SECONDS = Pattern.compile("\\d{1,9}");

  private final HttpClient client;
  private final URI url;
  private final Duration timeout;
  private final @Nullable Path tokenFile;

  /**
   * @param url without a slash at its end
   * @param timeout of a request
   * @param tokenFile holds a bearer token, read for each request, so that it may change
   */
  PrometheusApi(HttpClient client, URI url, Duration timeout, @Nullable Path tokenFile) {
    this.client = client;
    this.url = url;
    this.timeout = timeout;
    this.tokenFile = tokenFile;
  }

  /**
   * Asks once.
   *
   * @throws TransientException if it may go better later
   * @throws SourceException if it will not
   */
  RangeAnswer range(String expression, long fromSecond, long toSecond, int stepSeconds)
      throws TransientException, SourceException, InterruptedException {
    String form =
        "query="
            + URLEncoder.encode(expression, UTF_8)
            + "&start="
            + fromSecond
            + "&end="
            + toSecond
            + "&step="
            + stepSeconds;
    // By POST: an expression may be longer than an address may be.
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + "/api/v1/query_range"))
            .timeout(timeout)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("Accept", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(form));
    if (tokenFile != null) {
      request.header("Authorization", "Bearer " + token(tokenFile));
    }
    HttpResponse<byte[]> response = send(request.build());
    return answer(response, expression);
  }

  private HttpResponse<byte[]> send(HttpRequest request)
      throws TransientException, InterruptedException {
    try {
      return client.send(request, HttpResponse.BodyHandlers.ofByteArray());
    } catch (HttpTimeoutException e) {
      throw new TransientException(url + ": no answer within " + timeout.toMillis() + " ms", 0);
    } catch (IOException e) {
      String reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
      throw new TransientException(url + ": cannot be reached: " + reason, 0);
    }
  }

  private RangeAnswer answer(HttpResponse<byte[]> response, String expression)
      throws TransientException, SourceException {
    int status = response.statusCode();
    RangeAnswer answer;
    try {
      answer = RangeAnswer.parse(response.body());
    } catch (IOException e) {
      if (status == 200) {
        throw new TransientException(url + ": the answer is cut off or no JSON", 0);
      }
      answer = RangeAnswer.NONE;
    }
    String said = answer.error() == null ? "HTTP status " + status : answer.error();
    if (status == 429) {
      throw new TransientException(
          url + ": asks for fewer queries (HTTP status 429)", retryAfterMillis(response));
    }
    if (status >= 500) {
      throw new TransientException(url + ": " + said, retryAfterMillis(response));
    }
    if (status == 401 || status == 403) {
      throw new SourceException(
          url + ": refuses access (HTTP status " + status + "; see tokenFile)");
    }
    if (status != 200 || !answer.success()) {
      throw new SourceException(url + ": " + said + ", for the query " + expression);
    }
    return answer;
  }

  private static long retryAfterMillis(HttpResponse<?> response) {
    return response
        .headers()
        .firstValue("Retry-After")
        .filter(text -> SECONDS.matcher(text).matches())
        .map(text -> 1000 * Long.parseLong(text))
        .orElse(0L);
  }

  private static String token(Path file) throws SourceException {
    try {
      return Files.readString(file, UTF_8).strip();
    } catch (IOException e) {
      throw new SourceException(file + ": the token cannot be read: " + e.getMessage());
    }
  }
}
