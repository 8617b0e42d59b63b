package io.headgate.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.server.Headgate;
import io.headgate.server.terminal.UserError;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class LimitsPromoteCommandTest {

  private static final Instant FROM = Instant.parse("2026-03-02T00:00:00Z");
  private static final int HOURS = 10 * 24;

  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void rulesAndRates() throws IOException {
    Files.createDirectories(directory.resolve("rules"));
    Files.writeString(
        directory.resolve("rules/payments.yaml"),
        """
        service: payments
        rules:
          - name: batch
            limit: 50/s
          - name: checkout
            limit: 450/s
            candidate: 500/s
          - name: refund
            limit: 120/s
            behavior: allow
        """);
    rates("checkout", 400);
    rates("checkout.candidate", 400);
    rates("refund", 110);
    Files.writeString(
        directory.resolve("configurator.yaml"),
        """
        source: { kind: csv, directory: rates }
        step: 1h
        limits: [{}]
        """);
  }

  private void rates(String rule, int rate) throws IOException {
    Files.createDirectories(directory.resolve("rates/payments"));
    StringBuilder rates = new StringBuilder("timestamp,offered,dropped,would_drop\n");
    for (int hour = 0; hour < HOURS; hour++) {
      rates.append(FROM.getEpochSecond() + 3600L * hour).append(",%d,0,0\n".formatted(rate));
    }
    Files.writeString(directory.resolve("rates/payments/" + rule + ".csv"), rates);
  }

  private String rules() throws IOException {
    return Files.readString(directory.resolve("rules/payments.yaml"));
  }

  @Test
  void statusIsATableOfWhereEachRuleStands() {
    assertThat(run("promote", "2026-03-02T00:00:00Z")).isZero();
    assertThat(run("status", "2026-03-05T12:00:00Z")).isZero();

    assertThat(statusLines())
        .containsExactly(
            "RULE               LIMIT  ON TRIAL  STAGE     SINCE, UTC   WOULD DROP  WAITS FOR",
            "payments/refund    120/s     120/s  shadow    03-02 00:00    0.0000 %  3.5 of 7 days;"
                + " peak/limit 0.917 > 0.85",
            "payments/batch      50/s            enforced",
            "payments/checkout  450/s     500/s  shadow    03-02 00:00    0.0000 %  3.5 of 7 days",
            "",
            "at the next run: 0 promoted, 0 stepped back, 0 begin, 0 over, 2 wait");
  }

  private List<String> statusLines() {
    String all = out.toString();
    return all.substring(all.indexOf("RULE ")).lines().toList();
  }

  @Test
  void aRunMakesOneStepOfEachRuleAndSaysWhy() throws IOException {
    assertThat(run("promote", "2026-03-02T00:00:00Z")).isZero();
    assertThat(out.toString().lines())
        .containsExactly(
            "payments/refund: start, on trial: 120/s",
            "payments/checkout: start, on trial: 500/s",
            "0 promoted, 0 stepped back, 2 begin, 0 over, 0 wait",
            "written to " + directory.resolve("rules"));

    out.getBuffer().setLength(0);
    assertThat(run("promote", "2026-03-09T00:00:00Z")).isZero();
    assertThat(out.toString().lines())
        .containsExactly(
            "payments/checkout: 450/s -> 500/s, enforced everywhere: 7.0 days, would drop 0 %,"
                + " peak/limit 0.80",
            "1 promoted, 0 stepped back, 0 begin, 0 over, 1 wait",
            "written to " + directory.resolve("rules"));
    assertThat(rules()).contains("limit: 500/s\n").doesNotContain("candidate");

    out.getBuffer().setLength(0);
    assertThat(run("promote", "2026-03-09T00:30:00Z")).isZero();
    assertThat(out.toString()).endsWith("nothing is to be changed\n");
  }

  @Test
  void whatIsPromotedCanBeTakenBack() throws IOException {
    run("promote", "2026-03-02T00:00:00Z");
    String before = rules();
    run("promote", "2026-03-09T00:00:00Z");

    assertThat(execute("limits", "revert", "--rules", at("rules"))).isZero();
    assertThat(rules()).isEqualTo(before);
  }

  @Test
  void inAWorkingTreeOfGitAStepIsACommitWithItsReasons() throws Exception {
    git("init", "-q", "-b", "main");
    git("add", "rules");
    git("commit", "-q", "-m", "By hand");

    assertThat(run("promote", "2026-03-02T00:00:00Z")).isZero();
    assertThat(run("promote", "2026-03-09T00:00:00Z")).isZero();

    assertThat(git("log", "-1", "--format=%B"))
        .startsWith("Limits on trial: 1 promoted, 0 stepped back, 0 begin, 0 over, 1 wait\n\n")
        .contains("payments/checkout: 450/s -> 500/s, enforced everywhere: 7.0 days");
    assertThat(git("status", "--porcelain", "rules")).isEmpty();
  }

  private String git(String... arguments) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of("git", "-c", "user.name=somebody", "-c", "user.email=somebody@localhost"));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  @Test
  void aDryRunWritesNothing() throws IOException {
    String before = rules();

    assertThat(run("promote", "2026-03-02T00:00:00Z", "--dry-run")).isZero();
    assertThat(out.toString()).endsWith("nothing was written (--dry-run)\n");
    assertThat(rules()).isEqualTo(before);
  }

  @Test
  void aRateThatCannotBeReadIsNoDecision() throws IOException {
    run("promote", "2026-03-02T00:00:00Z");
    Files.delete(directory.resolve("rates/payments/checkout.candidate.csv"));
    String before = rules();

    assertThat(run("promote", "2026-03-09T00:00:00Z")).isEqualTo(UserError.FAILED);
    assertThat(err.toString())
        .contains("checkout.candidate.csv: there is no such file")
        .contains("; nothing was decided");
    assertThat(rules()).isEqualTo(before);
  }

  @Test
  void ratesThatDoNotSayWhatWouldBeDroppedProveNothing() throws IOException {
    run("promote", "2026-03-02T00:00:00Z");
    Path file = directory.resolve("rates/payments/checkout.candidate.csv");
    Files.writeString(file, Files.readString(file).replace("would_drop", "x"));

    assertThat(run("status", "2026-03-09T00:00:00Z")).isEqualTo(UserError.FAILED);
    assertThat(err.toString()).contains("(expected: timestamp, offered and would_drop)");
  }

  @Test
  void rulesWithMistakesAreNotTouched() throws IOException {
    Files.writeString(directory.resolve("rules/search.yaml"), "service: search\n");

    assertThat(run("promote", "2026-03-02T00:00:00Z")).isEqualTo(UserError.FAILED);
    assertThat(err.toString()).contains("the rules have mistakes: search.yaml:1:1: no rules");
  }

  @Test
  void aDirectoryThatIsNotThereIsNamed() throws IOException {
    Files.delete(directory.resolve("rules/payments.yaml"));
    Files.delete(directory.resolve("rules"));

    assertThat(run("status", "2026-03-02T00:00:00Z")).isEqualTo(UserError.FAILED);
    assertThat(err.toString()).contains(at("rules") + ": there is no such directory");
  }

  private String at(String name) {
    return directory.resolve(name).toString();
  }

  private int run(String command, String at, String... more) {
    List<String> words = new ArrayList<>(List.of("limits", command));
    words.addAll(List.of("--rules", at("rules"), "--config", at("configurator.yaml"), "--at", at));
    words.addAll(List.of(more));
    return execute(words.toArray(String[]::new));
  }

  private int execute(String... words) {
    CommandLine line = Headgate.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    return line.execute(words);
  }
}
