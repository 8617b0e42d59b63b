package io.headgate.configurator.plan;

import static io.headgate.configurator.Traffic.MONDAY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.headgate.configurator.Traffic;
import io.headgate.configurator.promotion.Promotion;
import io.headgate.configurator.promotion.PromotionDecision;
import io.headgate.configurator.promotion.Step;
import io.headgate.configurator.series.LimitKey;
import io.headgate.configurator.series.Series;
import io.headgate.configurator.series.TimeRange;
import io.headgate.configurator.source.Measure;
import io.headgate.configurator.source.MetricQuery;
import io.headgate.configurator.source.MetricSource;
import io.headgate.configurator.source.SourceException;
import io.headgate.control.rules.repository.DirectoryRuleRepository;
import io.headgate.core.rule.Rate;
import io.headgate.core.rule.RuleSet;
import io.headgate.fixtures.FreePorts;
import java.io.BufferedWriter;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real Prometheus that has four weeks of what controllers show of their rules. */
@Tag("process")
class RealPrometheusTest {

  private static final Series CHECKOUT = Traffic.days(28);
  private static final Series IN_EU = Traffic.days(28, 2, day -> 0.4);
  private static final Series WOULD_DROP = Traffic.times(CHECKOUT, 0, 28 * 24, 0.000019);

  @TempDir private static Path directory;

  private static int port;
  private static Process prometheus;

  @BeforeAll
  static void start() throws Exception {
    Path metrics = directory.resolve("metrics.txt");
    write(metrics);
    run(
        "promtool",
        "tsdb",
        "create-blocks-from",
        "openmetrics",
        "--max-block-duration=744h",
        metrics.toString(),
        directory.resolve("data").toString());
    port = FreePorts.next();
    Files.writeString(directory.resolve("prometheus.yml"), "scrape_configs: []\n");
    prometheus =
        new ProcessBuilder(
                "prometheus",
                "--config.file=" + directory.resolve("prometheus.yml"),
                "--storage.tsdb.path=" + directory.resolve("data"),
                "--storage.tsdb.retention.time=100y",
                "--web.listen-address=127.0.0.1:" + port)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile())
            .start();
    HttpRequest ready = HttpRequest.newBuilder(URI.create(url() + "/-/ready")).build();
    HttpClient client = HttpClient.newHttpClient();
    await()
        .atMost(Duration.ofSeconds(30))
        .ignoreExceptions()
        .until(
            () -> client.send(ready, HttpResponse.BodyHandlers.discarding()).statusCode() == 200);
  }

  @AfterAll
  static void stop() throws InterruptedException {
    if (prometheus != null) {
      prometheus.destroy();
      if (!prometheus.waitFor(10, TimeUnit.SECONDS)) {
        prometheus.destroyForcibly();
      }
    }
  }

  @Test
  void weeksComeBackAsTheyWere() throws Exception {
    Series read = source("").read(query("checkout", "", Measure.OFFERED));

    assertThat(read.size()).isEqualTo(CHECKOUT.size());
    for (int i = 0; i < read.size(); i++) {
      assertThat(read.at(i)).as("step %s", i).isCloseTo(CHECKOUT.at(i), within(0.001));
    }
  }

  @Test
  void aRegionWithALimitOfItsOwnIsReadByItself() throws Exception {
    Series read = source("").read(query("checkout", "eu", Measure.OFFERED));

    assertThat(read.at(1000)).isCloseTo(IN_EU.at(1000), within(0.001));
  }

  @Test
  void aRuleWithoutDemandHasHadNoneAndWhatWasNotWatchedIsNotKnown() throws Exception {
    MetricQuery idle = query("idle", "", Measure.OFFERED);
    TimeRange before =
        new TimeRange(
            idle.range().fromSecond() - Series.WEEK, idle.range().fromSecond() - Series.DAY);

    assertThat(source("").read(idle).values()).containsOnly(0);
    assertThat(
            source("")
                .read(new MetricQuery(idle.limit(), Measure.OFFERED, before, Traffic.STEP))
                .known())
        .isEmpty();
  }

  @Test
  void whatIsWrongWithAQueryIsSaidInPrometheussOwnWords() {
    assertThatThrownBy(
            () -> source("offered: 'sum(rate(x[5m])'").read(query("checkout", "", Measure.OFFERED)))
        .isInstanceOf(SourceException.class)
        .hasMessageContaining("parse error: unclosed left parenthesis")
        .hasMessageEndingWith("for the query sum(rate(x[5m])");
  }

  @Test
  void aQueryForManySeriesIsRefused() {
    assertThatThrownBy(
            () ->
                source("offered: 'headgate_rule_offered_per_second{rule=\"checkout\"}'")
                    .read(query("checkout", "", Measure.OFFERED)))
        .hasMessageContaining("found 2 series (expected: one; sum or max puts them together)");
  }

  @Test
  void aRunSetsLimitsFromIt() throws Exception {
    RuleSet rules =
        Traffic.rules(Traffic.rule("checkout", 1200, Map.of("eu", Rate.perSecond(1000))));

    ChangeSet changes =
        new LimitPlanner(config(""), 2).plan(rules, MONDAY.plus(Duration.ofDays(28)), done -> {});

    assertThat(changes.decisions().get(0).after().perSecond()).isCloseTo(1350, within(10.0));
    assertThat(changes.decisions().get(0).reason()).startsWith("peak 1,0");
    assertThat(changes.decisions().get(1).after().perSecond()).isEqualTo(800);
    assertThat(changes.decisions().get(1).reason()).contains("falls by 20 % in one run at most");
  }

  @Test
  void aCandidateIsEnforcedByWhatItKnows() throws Exception {
    Path rules = Files.createDirectory(directory.resolve("rules"));
    Files.writeString(
        rules.resolve("payments.yaml"),
        """
        service: payments
        rules:
          - name: checkout
            limit: 2000/s
            candidate: 1350/s
            trial: { of: 1350/s, since: 2026-03-12T00:00:00Z }
            limits: { eu: 1000/s }
        """);

    PromotionDecision decision =
        new Promotion(config(""), 2)
            .decide(
                new DirectoryRuleRepository(rules).read(),
                MONDAY.plus(Duration.ofDays(28)),
                done -> {})
            .decisions()
            .get(0);

    assertThat(decision.step()).as(decision.reason()).isEqualTo(Step.PROMOTE);
    assertThat(decision.reason())
        .startsWith("2000/s -> 1350/s, enforced everywhere: 18.0 days, would drop 0.0019 %, peak");
  }

  private static MetricQuery query(String rule, String place, Measure measure) {
    LimitKey limit =
        new LimitKey("payments", Traffic.rule(rule, 1, Map.of("eu", Rate.perSecond(1))), place);
    return new MetricQuery(limit, measure, CHECKOUT.range(), Traffic.STEP);
  }

  private static MetricSource source(String more) throws IOException {
    return config(more).source();
  }

  private static ConfiguratorConfig config(String more) throws IOException {
    Path file = directory.resolve("configurator.yaml");
    Files.writeString(
        file,
        """
        source: { kind: prometheus, url: %s, stepsPerRequest: 3000 %s }
        step: 5m
        limits: [{}]
        """
            .formatted(url(), more.isEmpty() ? "" : ", " + more));
    ConfigReader.Reading reading = ConfigReader.read(file);
    assertThat(reading.problems()).isEmpty();
    return reading.config();
  }

  /** A sample in the middle of each step. */
  private static void write(Path file) throws IOException {
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      out.write("# TYPE headgate_rule_offered_per_second gauge\n");
      samples(out, "offered", "checkout", "global", CHECKOUT);
      samples(out, "offered", "checkout", "region:eu", IN_EU);
      samples(out, "offered", "checkout.candidate", "global", CHECKOUT);
      out.write("# TYPE headgate_rule_would_drop_per_second gauge\n");
      samples(out, "would_drop", "checkout.candidate", "global", WOULD_DROP);
      out.write("# TYPE headgate_controller_config_version gauge\n");
      for (int i = 0; i < CHECKOUT.size(); i++) {
        out.write("headgate_controller_config_version{controller=\"a\"} 7 " + middle(i) + "\n");
      }
      out.write("# EOF\n");
    }
  }

  private static void samples(
      BufferedWriter out, String what, String rule, String domain, Series series)
      throws IOException {
    String name =
        "headgate_rule_%s_per_second{controller=\"a\",service=\"payments\",rule=\"%s\",domain=\"%s\"} "
            .formatted(what, rule, domain);
    for (int i = 0; i < series.size(); i++) {
      out.write(name + series.at(i) + " " + middle(i) + "\n");
    }
  }

  private static long middle(int step) {
    return CHECKOUT.second(step) + Traffic.STEP / 2;
  }

  private static void run(String... command) throws IOException, InterruptedException {
    Path log = directory.resolve("promtool.log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(log)).isZero();
  }

  private static String url() {
    return "http://127.0.0.1:" + port;
  }
}
