package io.headgate.configurator.plan;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.configurator.Traffic;
import io.headgate.configurator.guard.GuardSettings;
import io.headgate.configurator.history.WindowKind;
import io.headgate.configurator.series.LimitKey;
import io.headgate.control.status.FileProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigReaderTest {

  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void nameTheFile() {
    file = directory.resolve("configurator.yaml");
  }

  @Test
  void everythingThatCanBeSaidIsUnderstood() throws IOException {
    Files.writeString(
        directory.resolve("calendar.yaml"),
        """
        windows:
          - { kind: load-test, from: 2026-03-02T10:00:00Z, to: 2026-03-02T12:00:00Z, service: pay* }
          - { kind: peak, from: 2026-11-27T00:00:00Z, to: 2026-11-28T00:00:00Z, about: sale }
        """);
    ConfiguratorConfig config =
        good(
            """
            source: { kind: csv, directory: rates, countedOver: 5m }
            history: 8w
            step: 5m
            runEvery: 1h
            throttled: use
            calendar: calendar.yaml
            guards: { floor: 5/s, maxRise: 1 }
            limits:
              - match: { service: payments, caller: checkout }
                policy: { name: quantile, quantile: 0.99, buffer: 2 }
                guards: { deadBand: 0.1 }
                failoverRegions: 3
              - match: { service: payments }
                policy: { name: fixed, limit: 70/s }
            pins:
              - { service: payments, rule: search, until: 2027-01-01T00:00:00Z, about: launch }
            services:
              payments: { capacity: 10k/s, maxOvercommit: 2 }
            """);

    assertThat(config.history()).isEqualTo(Duration.ofDays(56));
    assertThat(config.stepSeconds()).isEqualTo(300);
    assertThat(config.runEvery()).isEqualTo(Duration.ofHours(1));
    assertThat(config.learnFromThrottled()).isTrue();
    assertThat(config.calendar().windows())
        .extracting(window -> window.kind() + " " + window.about())
        .containsExactly(WindowKind.LOAD_TEST + " ", WindowKind.PEAK + " sale");
    RuleChoice checkout = config.choice(Traffic.limit(1));
    assertThat(checkout.failoverFactor()).isEqualTo(1.5);
    assertThat(checkout.guards()).isEqualTo(new GuardSettings(5, 2, 1, 0.2, 0.1, 14, 0.9, 0.3, 14));
    assertThat(checkout.policy()).hasToString("Quantile[quantile=0.99, buffer=2.0]");
    assertThat(config.choice(of("payments", "other")).policy())
        .hasToString("Fixed[perSecond=70.0]");
    assertThat(config.choice(of("search", "checkout"))).isNull();
    assertThat(config.pins()).hasSize(1);
    assertThat(config.capacities().get("payments").overcommit(5000)).isEqualTo(0.5);
  }

  @Test
  void whatIsNotSaidIsAsUsual() throws IOException {
    ConfiguratorConfig config =
        good(
            """
            source: { kind: prometheus, url: "http://prometheus:9090/" }
            limits: [{}]
            """);

    assertThat(config.history()).isEqualTo(Duration.ofDays(28));
    assertThat(config.stepSeconds()).isEqualTo(60);
    assertThat(config.learnFromThrottled()).isFalse();
    assertThat(config.choice(Traffic.limit(1)).policy())
        .hasToString("Peak[buffer=1.25, withGrowth=false]");
    assertThat(config.choice(Traffic.limit(1)).guards()).isEqualTo(GuardSettings.DEFAULT);
  }

  @Test
  void allMistakesShowAtOnceWithTheirPlaces() throws IOException {
    Files.writeString(directory.resolve("calendar.yaml"), "windows:\n  - { kind: party }\n");
    Files.writeString(
        file,
        """
        source: { kind: prometheus, url: prometheus }
        history: 36h
        calendar: calendar.yaml
        limits:
          - policy: { name: peek }
          - policy: { name: peak, bufer: 2 }
          - policy: { name: forecast, buffer: 0.5 }
            guard: {}
          - policy: { name: fixed }
            failoverRegions: 1
        pins:
          - { rule: x }
        """);

    assertThat(
            ConfigReader.read(file).problems().stream()
                .map(FileProblem::toString)
                .map(problem -> problem.replace(file.toString(), "FILE"))
                .collect(joining("\n")))
        .isEqualTo(
            """
            FILE:1:34: url: found 'prometheus' (expected: an address such as http://prometheus:9090)
            FILE:2:10: history: found PT36H (expected: whole days)
            FILE:5:21: name: found 'peek' (expected: capacity, fixed, forecast, near-real-time, peak, quantile or seasonal; did you mean 'peak'?)
            FILE:6:34: unknown key 'bufer' (expected: name, buffer or growth; did you mean 'buffer'?)
            FILE:7:39: buffer: found '0.5' (expected: a number from 1.0 to 100.0)
            FILE:8:12: unknown key 'guard' (expected: match, policy, guards, promotion or failoverRegions; did you mean 'guards'?)
            FILE:9:13: no limit (expected: a rate such as 5000/s)
            FILE:10:22: failoverRegions: found 1.0 (expected: 2 or more, or 0)
            FILE:12:5: no until (expected: a time such as 2026-11-27T08:00:00Z)
            calendar.yaml:2:5: no from (expected: a time such as 2026-11-27T08:00:00Z)
            calendar.yaml:2:5: no to (expected: a time such as 2026-11-27T08:00:00Z)
            calendar.yaml:2:13: kind: found 'party' (expected: incident, failover, load-test, deploy or peak)""");
  }

  @Test
  void aFileThatIsNotThereIsAProblem() {
    assertThat(ConfigReader.read(file).problems())
        .containsExactly(
            new FileProblem(file.toString(), 1, 1, "cannot be read: there is no such file"));
  }

  private ConfiguratorConfig good(String yaml) throws IOException {
    Files.writeString(file, yaml);
    ConfigReader.Reading reading = ConfigReader.read(file);
    assertThat(reading.problems()).isEmpty();
    return reading.config();
  }

  private static LimitKey of(String service, String rule) {
    return new LimitKey(service, Traffic.rule(rule, 1, Map.of()), "");
  }
}
