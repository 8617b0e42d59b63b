package io.headgate.server.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.server.Headgate;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class DemoCommandTest {

  @TempDir private Path directory;
  private final StringWriter err = new StringWriter();

  @Test
  void saysHowLongARunThatMeasuresHasToBe() {
    assertThat(run("--json")).isEqualTo(2);
    assertThat(err.toString()).contains("--seconds: missing (expected: 15 or more with --json");
    assertThat(run("--json", "--seconds", "14")).isEqualTo(2);
    assertThat(err.toString()).contains("--seconds: 14 (expected: 15 or more with --json");
  }

  @Test
  void refusesASpeedWithoutATrace() {
    assertThat(run("--speed", "10")).isEqualTo(2);
    assertThat(err.toString()).contains("--speed: 10.0 without --trace (expected: both)");
  }

  @Test
  void saysWhichSpeedsATraceCanBeReplayedAt() throws IOException {
    Path trace = Files.writeString(directory.resolve("t.csv"), "0\n1\n2\n3\n4\n");
    assertThat(run("--trace", trace.toString())).isEqualTo(2);
    assertThat(err.toString())
        .contains(
            "--speed: 1.0 makes 1.0 calls a second of this trace"
                + " (expected: 20 to 8000 a second, that is a speed from 20 to 8000)");
  }

  @Test
  void namesTheLineOfABadRow() throws IOException {
    Path trace = Files.writeString(directory.resolve("t.csv"), "0\nsoon\n");
    assertThat(run("--trace", trace.toString())).isEqualTo(1);
    assertThat(err.toString()).contains(trace + ":2: 'soon' (expected: a time such as");
  }

  @Test
  void doesNotMeasureRulesThatAreNotItsOwn() throws IOException {
    Files.writeString(directory.resolve("mine.yaml"), "service: mine\nrules: []\n");
    assertThat(run("--json", "--seconds", "15", "--rules", directory.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("has rule files (expected: none with --json");
  }

  private int run(String... arguments) {
    CommandLine command = Headgate.commandLine().setErr(new PrintWriter(err));
    String[] all = new String[arguments.length + 1];
    all[0] = "demo";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    return command.execute(all);
  }
}
