package io.headgate.server.demo.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.server.terminal.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceFileTest {

  @TempDir private Path directory;

  @Test
  void readsTheFirstColumnBelowAHeader() throws IOException {
    Trace trace =
        TraceFile.read(
            file(
                """
                TIMESTAMP,ContextTokens,GeneratedTokens
                2023-11-16 18:17:03.9799600,4808,10
                2023-11-16 18:17:04.0319600,3180,8
                2023-11-16 18:17:05.9799600,110,27
                """));
    assertThat(trace.nanos()).containsExactly(0, 52_000_000, 2_000_000_000);
    assertThat(trace.durationSeconds()).isEqualTo(2.0);
    assertThat(trace.meanPerSecond()).isEqualTo(1.0);
  }

  @Test
  void readsQuotedFieldsBehindAByteOrderMarkAndLeavesEmptyRowsOut() throws IOException {
    Trace trace = TraceFile.read(file("\uFEFF\"time\",x\r\n\r\n\"10\",1\r\n\"12.5\",2\r\n"));
    assertThat(trace.nanos()).containsExactly(0, 2_500_000_000L);
  }

  @Test
  void putsTimesInOrder() throws IOException {
    assertThat(TraceFile.read(file("30\n10\n20\n")).nanos())
        .containsExactly(0, 10_000_000_000L, 20_000_000_000L);
  }

  @Test
  void namesFileAndLineOfABadRow() throws IOException {
    Path file = file("time,x\n10,1\n11,1\nlater,1\n");
    assertThatThrownBy(() -> TraceFile.read(file))
        .isInstanceOf(UserError.class)
        .hasMessageStartingWith("--trace: " + file + ":4: 'later' (expected: a time such as");
  }

  @Test
  void takesALineWithoutATimeForAHeaderAtTheBeginningOnly() throws IOException {
    Path file = file("time\ntime\n10\n");
    assertThatThrownBy(() -> TraceFile.read(file)).hasMessageContaining(":2: 'time'");
  }

  @Test
  void refusesATraceThatHasNoDuration() throws IOException {
    Path single = file("time\n10\n");
    assertThatThrownBy(() -> TraceFile.read(single))
        .hasMessageEndingWith("has 1 times (expected: two different ones at least)");
    Path same = file("10\n10\n");
    assertThatThrownBy(() -> TraceFile.read(same))
        .hasMessageEndingWith("has 2 times, all the same (expected: two different ones at least)");
  }

  @Test
  void saysThatAFileDoesNotExist() {
    Path missing = directory.resolve("missing.csv");
    assertThatThrownBy(() -> TraceFile.read(missing))
        .hasMessage("--trace: " + missing + " does not exist (expected: a CSV file)");
  }

  private Path file(String text) throws IOException {
    return Files.writeString(Files.createTempFile(directory, "trace", ".csv"), text);
  }
}
