package io.headgate.configurator.source.prometheus;

import io.headgate.configurator.parameters.Parameters;
import io.headgate.configurator.source.MetricSource;
import io.headgate.configurator.source.MetricSourceFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** {@code kind: prometheus}. */
public final class PrometheusSourceFactory implements MetricSourceFactory {

  @Override
  public String kind() {
    return "prometheus";
  }

  @Override
  public MetricSource open(Parameters parameters, Path directory) {
    URI url = url(parameters);
    Queries queries =
        new Queries(
            parameters.text("offered", Queries.OFFERED),
            parameters.text("dropped", Queries.DROPPED),
            parameters.text("wouldDrop", Queries.WOULD_DROP),
            parameters.text("watched", parameters.has("offered") ? "" : Queries.WATCHED));
    Duration timeout = parameters.duration("timeout", Duration.ofSeconds(30));
    int attempts = (int) parameters.number("attempts", 5, 1, 20);
    int stepsPerRequest = (int) parameters.number("stepsPerRequest", 10_000, 1, 11_000);
    @Nullable Path token =
        parameters.has("tokenFile") ? directory.resolve(parameters.text("tokenFile")) : null;
    Retries retries =
        new Retries(
            attempts, TimeUnit.MILLISECONDS::sleep, () -> ThreadLocalRandom.current().nextDouble());
    PrometheusApi api =
        new PrometheusApi(
            HttpClient.newBuilder().connectTimeout(timeout).build(), url, timeout, token);
    return new PrometheusSource(api, queries, retries, stepsPerRequest);
  }

  private static URI url(Parameters parameters) {
    String text = parameters.text("url");
    try {
      URI url = URI.create(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
      if (url.getHost() != null && (text.startsWith("http://") || text.startsWith("https://"))) {
        return url;
      }
    } catch (IllegalArgumentException e) {
      // what follows says it
    }
    if (!text.isEmpty()) {
      parameters.problem(
          "url", "url: found '" + text + "' (expected: an address such as http://prometheus:9090)");
    }
    return URI.create("http://localhost:9090");
  }
}
