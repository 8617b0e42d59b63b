package io.headgate.server.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LoggingTest {

  private final PrintStream out = System.out;
  private final PrintStream err = System.err;
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final ByteArrayOutputStream logged = new ByteArrayOutputStream();

  @AfterEach
  void giveBackTheStreams() {
    System.setOut(out);
    System.setErr(err);
    Logging.startQuietly();
  }

  @Test
  void onlyWarningsAreLoggedUntilACommandAsksForMoreAndNeverAmongWhatIsPrinted() {
    whatIsLoggedBy(Logging::startQuietly);

    assertThat(printed.toString(UTF_8)).isEmpty();
    assertThat(logged.toString(UTF_8).lines())
        .hasSize(2)
        .allMatch(line -> line.endsWith("a warning"));
  }

  @Test
  void aServerLogsWhatItDoesAndNotWhatItsLibrariesDo() {
    whatIsLoggedBy(() -> Logging.start(Logging.Form.TEXT));

    assertThat(printed.toString(UTF_8)).isEmpty();
    assertThat(logged.toString(UTF_8).lines())
        .hasSize(3)
        .anyMatch(line -> line.contains("Sample") && line.endsWith("news"));
  }

  private void whatIsLoggedBy(Runnable start) {
    System.setOut(new PrintStream(printed, true, UTF_8));
    System.setErr(new PrintStream(logged, true, UTF_8));
    start.run();
    for (String name : new String[] {"io.headgate.Sample", "java.lang.Runtime"}) {
      LoggerFactory.getLogger(name).debug("a detail");
      LoggerFactory.getLogger(name).info("news");
      LoggerFactory.getLogger(name).warn("a warning");
    }
  }
}
