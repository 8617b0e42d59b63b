package io.headgate.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.server.terminal.UserError;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class HeadgateTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return Headgate.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
        .execute(arguments);
  }

  @Test
  void withoutACommandItSaysWhichThereAre() {
    assertThat(run()).isEqualTo(UserError.USAGE);
    assertThat(err.toString())
        .startsWith("headgate: no command given (expected one of: server, ")
        .contains("Try 'headgate --help'.");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void anUnknownOptionIsNamedAndTheNearestOnesAreOffered() {
    assertThat(run("status", "--wach")).isEqualTo(UserError.USAGE);
    assertThat(err.toString())
        .contains("headgate status: Unknown option: '--wach'")
        .contains("--watch")
        .contains("Try 'headgate status --help'.");
  }

  @Test
  void anUnknownCommandIsNamed() {
    assertThat(run("severs")).isEqualTo(UserError.USAGE);
    assertThat(err.toString()).contains("'severs'").contains("server");
  }

  @ParameterizedTest
  @ValueSource(strings = {"server", "demo", "validate", "status", "version"})
  void helpOfEachCommandHasExamplesAndFitsATerminal(String command) {
    assertThat(run(command, "--help")).isZero();
    assertThat(out.toString()).contains("Examples:").contains("headgate " + command);
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 80);
    // What is wrapped cannot be copied into a shell.
    assertThat(
            Headgate.commandLine()
                .getSubcommands()
                .get(command)
                .getCommandSpec()
                .usageMessage()
                .footer())
        .allMatch(line -> !line.startsWith("  ") || line.length() <= 80);
  }

  @Test
  void helpOfTheComparisonFitsATerminal() {
    assertThat(run("simulate", "compare", "--help")).isZero();
    assertThat(out.toString()).contains("headgate simulate compare --seed 7 --json");
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 80);
  }

  @Test
  void helpOfTheBootstrapFitsATerminal() {
    assertThat(run("envoy", "bootstrap", "--help")).isZero();
    assertThat(out.toString()).contains("headgate envoy bootstrap --service payments");
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 80);
  }

  @Test
  void versionNamesTheProgramTheCommitAndJava() {
    assertThat(run("version")).isZero();
    assertThat(out.toString().lines().toList())
        .satisfiesExactly(
            line -> assertThat(line).matches("headgate \\d+\\.\\d+\\.\\d+\\S* \\(commit \\S+\\)"),
            line -> assertThat(line).startsWith("java " + Runtime.version()));
  }

  @Test
  void validRulesAreCounted(@TempDir Path directory) throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("payments.yaml"),
            """
            service: payments
            rules:
              - name: charge
                match: { caller: checkout }
                limit: 50/s
            """);
    assertThat(run("validate", file.toString())).isZero();
    assertThat(out.toString())
        .isEqualTo("1 file read: 1 valid rule in 1 service, no problems" + System.lineSeparator());
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void allProblemsAreNamedWithTheirPlace(@TempDir Path directory) throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("payments.yaml"),
            """
            service: payments
            rules:
              - name: charge
                limit: 50
                scop: zone
            """);
    assertThat(run("validate", directory.toString())).isEqualTo(UserError.FAILED);
    List<String> problems = err.toString().lines().toList();
    assertThat(problems.get(0)).startsWith(file + ":4:12: limit: '50'");
    assertThat(problems.get(1)).startsWith(file + ":5:5: unknown key 'scop'");
    assertThat(problems).hasSize(2);
    assertThat(out.toString()).contains("2 problems");
  }

  @Test
  void aServerThatDoesNotAnswerIsNamed() {
    assertThat(run("status", "--address", "127.0.0.1:1")).isEqualTo(UserError.FAILED);
    assertThat(err.toString()).contains("nothing listens on http://127.0.0.1:1");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void anAddressThatIsNoneIsRefused() {
    assertThat(run("status", "--address", "ftp://x")).isEqualTo(UserError.USAGE);
    assertThat(err.toString()).contains("--address: 'ftp://x' (expected: a URL such as");
  }
}
