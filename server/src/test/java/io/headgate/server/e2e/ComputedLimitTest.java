package io.headgate.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headgate.agent.Gate;
import io.headgate.agent.HeadgateAgent;
import io.headgate.server.demo.load.LoadGenerator;
import io.headgate.server.run.ServerChild;
import java.io.BufferedWriter;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * From four weeks in a real Prometheus to an agent: the role configurator writes a limit, and a
 * controller, an aggregator and an agent have it in force.
 */
@Tag("process")
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class ComputedLimitTest {

  private static final double OFFERED_PER_SECOND = 3000;
  private static final int STEP_SECONDS = 300;

  @TempDir private Path directory;
  private ServerChild loop;
  private ServerChild configurator;

  @AfterEach
  void end() throws InterruptedException {
    for (ServerChild child : new ServerChild[] {configurator, loop}) {
      if (child != null) {
        child.kill();
      }
    }
  }

  @Test
  void aLimitThatFollowsFromWeeksOfTrafficIsEnforcedWithinThreeSecondsOfItsWriting()
      throws Exception {
    Path rules = Files.createDirectory(directory.resolve("rules"));
    Path file = rules.resolve("payments.yaml");
    Files.writeString(
        file, "service: payments\nrules:\n  - name: checkout\n    limit: 1000/s # by hand\n");
    loop = start("loop", "--role=aggregator,controller", "--zone=eu-1", "--rules=" + rules);
    Path metrics = directory.resolve("metrics.txt");
    writeHistory(metrics);
    try (PrometheusChild prometheus = PrometheusChild.start(metrics, directory)) {
      loop.awaitReady();
      Path config = directory.resolve("configurator.yaml");
      Files.writeString(
          config,
          """
          source: { kind: prometheus, url: %s }
          step: 5m
          enforce: true
          limits: [{ match: { service: payments } }]
          """
              .formatted(prometheus.url()));
      try (HeadgateAgent agent =
              HeadgateAgent.builder()
                  .service("checkout")
                  .region("eu")
                  .zone("eu-1")
                  .aggregators(loop.grpcAddress())
                  .build();
          Calls calls = new Calls(agent.gate("payments", "checkout", "Charge"))) {
        calls.awaitDropped(0.62, 0.72);

        configurator =
            start(
                "configurator",
                "--role=configurator",
                "--rules=" + rules,
                "--configurator-config=" + config);
        configurator.awaitReady();
        await()
            .atMost(Duration.ofSeconds(60))
            .pollInterval(Duration.ofMillis(5))
            .until(() -> Files.readString(file).contains("limit: 1500/s # by hand"));
        long written = System.nanoTime();
        calls.awaitDropped(0.44, 0.56);
        double seconds = (System.nanoTime() - written) / 1e9;

        System.out.printf("enforced %.2f s after it was written%n", seconds);
        assertThat(seconds).isLessThan(3);
      }
      statusAndMetricsTellOfTheRun();
      configurator.process().destroy();
      assertThat(configurator.process().waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(configurator.process().exitValue()).isZero();
    }
  }

  private void statusAndMetricsTellOfTheRun() throws Exception {
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () -> {
              JsonNode status = new ObjectMapper().readTree(get("/status")).get("configurator");
              assertThat(status.at("/last/result").asText()).isEqualTo("written");
              assertThat(status.at("/last/changes").asInt()).isEqualTo(1);
              assertThat(status.at("/next").asText()).endsWith("T02:30:00Z");
            });
    assertThat(get("/metrics"))
        .contains(
            "result=\"written\"} 1.0",
            "headgate_configurator_limits{",
            "headgate_configurator_last_full_run_seconds{",
            "headgate_configurator_run_seconds_count{");
    assertThat(get("/healthz")).isEqualTo("alive\n");
    assertThat(configurator.log()).contains("payments/checkout: 1000/s -> 1500/s, peak 1,");
  }

  private ServerChild start(String id, String... more) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(more));
    arguments.addAll(
        List.of(
            "--region=eu",
            "--id=" + id,
            "--listen=127.0.0.1:0",
            "--http=127.0.0.1:0",
            "--exit-with-parent"));
    return ServerChild.start(directory.resolve(id + ".log"), "server", arguments, Map.of());
  }

  private String get(String page) throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://" + configurator.httpAddress() + page))
                .build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  /** A day of 300 calls a second with 1,300 for an hour; 1.25 times that is 1,625. */
  private static void writeHistory(Path file) throws IOException {
    long now = Instant.now().getEpochSecond();
    long from = now - now % STEP_SECONDS - Duration.ofDays(28).toSeconds();
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      out.write("# TYPE headgate_rule_offered_per_second gauge\n");
      for (long at = from; at < now; at += STEP_SECONDS) {
        out.write(
            "headgate_rule_offered_per_second{service=\"payments\",rule=\"checkout\","
                + "domain=\"global\"} "
                + (at % 86_400 < 3600 ? 1300 : 300)
                + " "
                + at
                + "\n");
      }
      out.write("# TYPE headgate_controller_config_version gauge\n");
      for (long at = from; at < now; at += STEP_SECONDS) {
        out.write("headgate_controller_config_version 7 " + at + "\n");
      }
      out.write("# EOF\n");
    }
  }

  /** Calls at an even rate, and the share of them that is dropped. */
  private static final class Calls implements AutoCloseable {

    private static final Duration WINDOW = Duration.ofMillis(200);

    private final Gate gate;
    private final AtomicLong offered = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final LoadGenerator load;

    Calls(Gate gate) {
      this.gate = gate;
      load = LoadGenerator.start(this::judgeUntil);
    }

    private void judgeUntil(double elapsedSeconds) {
      long due = (long) (elapsedSeconds * OFFERED_PER_SECOND);
      while (offered.get() < due) {
        if (!gate.judge().admitted()) {
          dropped.incrementAndGet();
        }
        offered.incrementAndGet();
      }
    }

    /** Waits for a window in which the share is between two. */
    void awaitDropped(double least, double most) {
      long[] before = {offered.get(), dropped.get()};
      await()
          .atMost(Duration.ofSeconds(60))
          .pollDelay(WINDOW)
          .pollInterval(WINDOW)
          .until(
              () -> {
                long all = offered.get();
                long lost = dropped.get();
                double share = (lost - before[1]) / Math.max(1.0, all - before[0]);
                before[0] = all;
                before[1] = lost;
                return share >= least && share <= most;
              });
    }

    @Override
    public void close() {
      load.close();
    }
  }
}
