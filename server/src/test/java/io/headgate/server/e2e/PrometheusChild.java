package io.headgate.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.fixtures.FreePorts;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A real Prometheus that has a history and scrapes nothing. */
final class PrometheusChild implements AutoCloseable {

  private final Process process;
  private final String url;

  private PrometheusChild(Process process, String url) {
    this.process = process;
    this.url = url;
  }

  /**
   * Imports a history and starts; it serves when this returns.
   *
   * @param openMetrics samples with their times
   * @param directory where its files are
   */
  static PrometheusChild start(Path openMetrics, Path directory) throws Exception {
    Path data = directory.resolve("data");
    Path log = directory.resolve("promtool.log");
    Process tool =
        new ProcessBuilder(
                "promtool",
                "tsdb",
                "create-blocks-from",
                "openmetrics",
                "--max-block-duration=744h",
                openMetrics.toString(),
                data.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    assertThat(tool.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(tool.exitValue()).as(Files.readString(log)).isZero();
    Files.writeString(directory.resolve("prometheus.yml"), "scrape_configs: []\n");
    String address = "127.0.0.1:" + FreePorts.next();
    Process process =
        new ProcessBuilder(
                "prometheus",
                "--config.file=" + directory.resolve("prometheus.yml"),
                "--storage.tsdb.path=" + data,
                "--storage.tsdb.retention.time=100y",
                "--web.listen-address=" + address)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("prometheus.log").toFile())
            .start();
    PrometheusChild started = new PrometheusChild(process, "http://" + address);
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest ready = HttpRequest.newBuilder(URI.create(started.url + "/-/ready")).build();
    await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptions()
        .until(
            () -> client.send(ready, HttpResponse.BodyHandlers.discarding()).statusCode() == 200);
    return started;
  }

  String url() {
    return url;
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(10, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }
}
