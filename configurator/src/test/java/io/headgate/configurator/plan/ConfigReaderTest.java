package io.headgate.configurator.plan;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.configurator.Traffic;
import io.headgate.configurator.guard.GuardSettings;
import io.headgate.configurator.guard.PromotionSettings;
import io.headgate.configurator.history.WindowKind;
import io.headgate.configurator.series.LimitKey;
import io.headgate.configurator.trigger.DriftSettings;
import io.headgate.configurator.trigger.RunTriggers;
import io.headgate.control.status.FileProblem;
import io.headgate.core.rule.Behavior;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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
  void whatALimitOnTrialMustShowIsSaidForAllAndForSome() throws IOException {
    ConfiguratorConfig config =
        good(
            """
            source: { kind: csv, directory: rates }
            promotion:
              days: 3
              virtualDropShare: 0.001
              peakToLimit: { least: 0.2 }
              coverage: 0.9
              soak: 1h
              stepBackAt: 0.05
              region: eu-west
              zones: [eu-west-1, eu-west-2]
            limits:
              - match: { service: payments }
              - promotion: { automatic: off, peakToLimit: { most: 0.7 } }
            newRules:
              limit: 100/s
              for:
                - { service: search, caller: web, procedure: GET /find }
                - { service: search, name: rest, limit: 5/s }
            """);

    PromotionSettings forAll =
        new PromotionSettings(
            true,
            3,
            0.001,
            0.2,
            0.85,
            0.9,
            Duration.ofHours(1),
            0.05,
            "eu-west",
            List.of("eu-west-1", "eu-west-2"));
    assertThat(config.choice(of("payments", "x")).promotion()).isEqualTo(forAll);
    PromotionSettings ofOthers = config.choice(of("search", "x")).promotion();
    assertThat(ofOthers.automatic()).isFalse();
    assertThat(ofOthers.days()).isEqualTo(3);
    assertThat(ofOthers.leastPeakToLimit()).isEqualTo(0.2);
    assertThat(ofOthers.mostPeakToLimit()).isEqualTo(0.7);
    assertThat(config.newRules())
        .extracting(each -> each.rule().name() + " " + each.rule().limit())
        .containsExactly("web-GET-find 100/s", "rest 5/s");
    assertThat(config.newRules().get(0).rule().behavior()).isEqualTo(Behavior.ALLOW);
  }

  @Test
  void mistakesInWhatALimitOnTrialMustShowAreNamed() throws IOException {
    Files.writeString(
        file,
        """
        source: { kind: csv, directory: rates }
        promotion:
          virtualDropShare: 0
          peakToLimit: { least: 0.9 }
          soak: soon
          zones: [eu-west-1, [x]]
          day: 7
        limits: [{}]
        newRules:
          limit: 100/s
          for:
            - { caller: web }
            - { service: s, name: a b }
            - { service: s, caller: web }
            - { service: s, caller: web }
        """);

    assertThat(ConfigReader.read(file).problems())
        .extracting(problem -> problem.line() + ":" + problem.column() + ": " + problem.message())
        .containsExactly(
            "3:21: virtualDropShare: found '0' (expected: a number from 1.0E-6 to 1.0)",
            "4:25: least: found 0.9 (expected: at most 0.85)",
            "5:9: soak: found 'soon' (expected: a duration such as 90s, 5m, 1h, 28d or 4w)",
            "6:10: zones without region (expected: region, where they are)",
            "6:22: zones: found a list (expected: a name)",
            "7:8: unknown key 'day' (expected: peakToLimit, automatic, days, virtualDropShare,"
                + " coverage, soak, stepBackAt, region or zones; did you mean 'days'?)",
            "12:7: no service",
            "13:27: name: found 'a b' (expected: 1 to 128 printable ASCII characters without space"
                + " or '|')",
            "15:7: rule 'web' is there twice");
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
  void whenAServiceComputesLimitsCanBeSaid() throws IOException {
    String least = "source: { kind: csv, directory: rates }\nlimits: [{}]\n";
    assertThat(good(least).triggers()).isEqualTo(RunTriggers.DEFAULT);

    RunTriggers triggers =
        good(least
                + """
                    schedule: "0 4 * * 1"
                    enforce: true
                    drift: { every: 5m, above: 0.8, below: 0.2, shift: 3, coolDown: 6h }
                    """)
            .triggers();

    assertThat(triggers.schedule()).hasToString("0 4 * * 1");
    assertThat(triggers.enforce()).isTrue();
    assertThat(triggers.drift())
        .isEqualTo(new DriftSettings(Duration.ofMinutes(5), 0.8, 0.2, 3, Duration.ofHours(6)));
  }

  @Test
  void mistakesInThatAreNamedWithTheirPlacesToo() throws IOException {
    Files.writeString(
        file,
        """
        source: { kind: csv, directory: rates }
        limits: [{}]
        schedule: nightly
        enforce: maybe
        drift: { above: 0.3, below: 0.5 }
        """);

    assertThat(ConfigReader.read(file).problems())
        .extracting(problem -> problem.toString().replace(file.toString(), "FILE"))
        .satisfiesExactly(
            first ->
                assertThat(first)
                    .startsWith("FILE:3:11: schedule: found 'nightly' (expected: minute, hour,"),
            second ->
                assertThat(second)
                    .isEqualTo("FILE:4:10: enforce: found 'maybe' (expected: true or false)"),
            third ->
                assertThat(third)
                    .isEqualTo("FILE:5:29: below: found 0.5 (expected: less than above, 0.3)"));
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
