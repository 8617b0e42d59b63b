package io.headgate.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headgate.configurator.run.RunNotes;
import io.headgate.control.rules.RuleCodec;
import io.headgate.control.rules.repository.DirectoryRuleRepository;
import io.headgate.control.rules.repository.RuleRepository;
import io.headgate.control.rules.repository.RunLease;
import io.headgate.core.rule.Rate;
import io.headgate.server.Headgate;
import io.headgate.server.terminal.UserError;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class LimitsCommandTest {

  private static final Instant FROM = Instant.parse("2026-03-02T00:00:00Z");

  /** Eight weeks, of which each hour has 100 calls a second and each noon 400. */
  private static final int HOURS = 56 * 24;

  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void writeRulesAndRates() throws IOException {
    Files.createDirectories(directory.resolve("rules"));
    Files.writeString(
        directory.resolve("rules/payments.yaml"),
        """
        service: payments
        rules:
          - name: checkout
            match: { caller: checkout }
            limit: 450/s
        """);
    Files.createDirectories(directory.resolve("rates/payments"));
    StringBuilder rates = new StringBuilder("timestamp,offered\n");
    for (int hour = 0; hour < HOURS; hour++) {
      rates
          .append(FROM.getEpochSecond() + 3600L * hour)
          .append(hour % 24 == 12 ? ",400\n" : ",100\n");
    }
    Files.writeString(directory.resolve("rates/payments/checkout.csv"), rates);
    Files.writeString(
        directory.resolve("configurator.yaml"),
        """
        source: { kind: csv, directory: rates }
        step: 1h
        limits: [{ match: { service: payments } }]
        """);
  }

  @Test
  void thePlanIsATableFromOldToNewWithReasons() {
    assertThat(run("plan")).isZero();

    assertThat(out.toString().lines())
        .containsExactly(
            "LIMIT                NOW    NEW   CHANGE  FALSE DROPS    REASON",
            "payments/checkout  450/s  500/s  +11.1 %      0.000 %    peak 400/s x 1.25",
            "",
            "1 of 1 limits change, 0 would go farther with approval");
  }

  @Test
  void whatIsAppliedIsJudgedInShadowFirstThenEnforcedAndCanBeTakenBack() throws IOException {
    Path file = directory.resolve("rules/payments.yaml");
    String before = Files.readString(file);

    assertThat(run("apply")).isZero();
    assertThat(Files.readString(file))
        .isEqualTo(before.replace("450/s\n", "450/s\n    candidate: 500/s\n"));

    assertThat(run("apply")).isZero();
    assertThat(out.toString()).contains("the rules say so already; nothing was written");

    assertThat(run("apply", "--enforce")).isZero();
    assertThat(Files.readString(file)).isEqualTo(before.replace("450/s", "500/s"));

    assertThat(run("revert")).isZero();
    assertThat(Files.readString(file)).contains("limit: 450/s", "candidate: 500/s");
  }

  @Test
  void nothingIsAppliedWhileSomebodyElseIsAtIt() throws IOException {
    RuleRepository rules = new DirectoryRuleRepository(directory.resolve("rules"));
    String before = Files.readString(directory.resolve("rules/payments.yaml"));
    RunLease lease = rules.tryLease("cfg-1", Instant.now(), Duration.ofHours(1));

    assertThat(run("apply")).isEqualTo(UserError.FAILED);
    assertThat(err.toString()).contains("rules: 'cfg-1' is changing limits at this moment");
    assertThat(Files.readString(directory.resolve("rules/payments.yaml"))).isEqualTo(before);

    lease.close();
    assertThat(run("apply")).isZero();
  }

  /** Else the service would take it for a reason to compute limits, and undo it. */
  @Test
  void whatIsWrittenAndTakenBackByHandIsNotedForTheService() throws IOException {
    RuleRepository rules = new DirectoryRuleRepository(directory.resolve("rules"));
    run("apply");
    assertThat(RunNotes.of(rules.notes()).revision()).isEqualTo(rules.read().revision());

    run("revert");
    assertThat(RunNotes.of(rules.notes()).revision()).isEqualTo(rules.read().revision());
  }

  @Test
  void thePlanAsJsonHasTheSame() throws IOException {
    assertThat(run("plan", "--json")).isZero();

    JsonNode decision = new ObjectMapper().readTree(out.toString()).get("decisions").get(0);
    assertThat(decision.get("before").asText()).isEqualTo("450/s");
    assertThat(decision.get("after").asText()).isEqualTo("500/s");
    assertThat(decision.get("expectedFalseDrops").asDouble()).isZero();
  }

  @Test
  void whatIsComputedIsARuleFileAndTheRulesStayAsTheyAre() throws IOException {
    String before = Files.readString(directory.resolve("rules/payments.yaml"));

    assertThat(run("compute")).isZero();

    var read = RuleCodec.read("out", out.toString().getBytes(StandardCharsets.UTF_8));
    assertThat(read.problems()).isEmpty();
    assertThat(read.services().get(0).rules().rules().get(0).limit())
        .isEqualTo(Rate.perSecond(500));
    assertThat(Files.readString(directory.resolve("rules/payments.yaml"))).isEqualTo(before);
    assertThat(err.toString()).contains("1 of 1 limits change");
  }

  @Test
  void theBackTestComparesPolicies() {
    assertThat(run("backtest", "--policy", "peak,quantile")).isZero();

    assertThat(out.toString().lines().limit(4).map(line -> line.replaceAll(" +", " ")))
        .containsExactly(
            "LIMIT POLICY PERIODS FALSE DROPS LIMIT/PEAK LEAST ATTACK",
            "payments/checkout configured 4 0.0000 % 1.25 1.25 1.00",
            "payments/checkout peak 4 0.0000 % 1.25 1.25 1.00",
            "payments/checkout quantile 4 0.0000 % 1.30 1.30 1.00");
  }

  @Test
  void mistakesInTheConfigurationAreNamedWithTheirPlaces() throws IOException {
    Files.writeString(directory.resolve("configurator.yaml"), "source: { kind: csw }\n");

    assertThat(run("plan")).isEqualTo(UserError.FAILED);
    assertThat(err.toString())
        .contains(
            "configurator.yaml:1:17: kind: found 'csw' (expected: csv or prometheus; did you mean"
                + " 'csv'?)");
  }

  @Test
  void aRateThatCannotBeReadIsNoChange() throws IOException {
    Files.delete(directory.resolve("rates/payments/checkout.csv"));

    assertThat(run("plan")).isEqualTo(UserError.FAILED);
    assertThat(err.toString())
        .contains("checkout.csv: there is no such file")
        .contains("; no limit was computed");
  }

  @Test
  void tooShortAPastIsRefused() {
    assertThat(run("backtest", "--days", "30")).isEqualTo(UserError.USAGE);
    assertThat(err.toString())
        .contains("--days: 30 (expected: 35 or more, the history and a period)");
  }

  @Test
  void aPolicyThatNeedsToBeToldMoreCannotBeCompared() {
    assertThat(run("backtest", "--policy", "fixed")).isEqualTo(UserError.USAGE);
    assertThat(err.toString()).contains("--policy fixed: policy: no limit");
  }

  private int run(String command, String... more) {
    List<String> words = new ArrayList<>(List.of("limits", command));
    words.addAll(List.of("--rules", directory.resolve("rules").toString()));
    if (!command.equals("revert")) {
      words.addAll(List.of("--config", directory.resolve("configurator.yaml").toString()));
      words.addAll(List.of("--at", FROM.plusSeconds(3600L * HOURS).toString()));
    }
    words.addAll(List.of(more));
    CommandLine line = Headgate.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    return line.execute(words.toArray(String[]::new));
  }
}
