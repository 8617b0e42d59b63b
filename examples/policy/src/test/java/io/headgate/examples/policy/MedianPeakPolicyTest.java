package io.headgate.examples.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.server.Headgate;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The configuration and the rules of this example, by the commands of its page. */
class MedianPeakPolicyTest {

  private static final Instant FROM = Instant.parse("2026-11-02T00:00:00Z");
  private static final int DAYS = 28;

  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /** Each hour has 100 calls a second, and each noon 400; on every fourth day 440. */
  @BeforeEach
  void writeRates() throws IOException {
    Files.copy(Path.of("configurator.yaml"), directory.resolve("configurator.yaml"));
    StringBuilder rates = new StringBuilder("timestamp,offered\n");
    for (int hour = 0; hour < DAYS * 24; hour++) {
      int noon = hour / 24 % 4 == 3 ? 440 : 400;
      rates.append(FROM.getEpochSecond() + 3600L * hour).append(',');
      rates.append(hour % 24 == 12 ? noon : 100).append('\n');
    }
    Path service = Files.createDirectories(directory.resolve("rates/payments"));
    Files.writeString(service.resolve("checkout.csv"), rates);
  }

  @Test
  void limitsAreComputedByIt() {
    assertThat(run("plan")).as(err.toString()).isZero();

    assertThat(out.toString().lines().skip(1).findFirst().orElse(""))
        .startsWith("payments/checkout  600/s  800/s  +33.3 %")
        .endsWith("median of the daily peaks x 2.0");
  }

  @Test
  void aMistakeInItsParametersHasAPlace() throws IOException {
    Path config = directory.resolve("configurator.yaml");
    Files.writeString(config, Files.readString(config).replace("buffer: 2", "bufer: 2"));

    assertThat(run("plan")).isEqualTo(1);
    assertThat(err.toString())
        .contains("configurator.yaml:5:41: unknown key 'bufer'", "did you mean 'buffer'?");
  }

  private int run(String command) {
    CommandLine line = Headgate.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    return line.execute(
        "limits",
        command,
        "--config",
        directory.resolve("configurator.yaml").toString(),
        "--rules",
        "rules",
        "--at",
        FROM.plusSeconds(DAYS * 86_400L).toString());
  }
}
