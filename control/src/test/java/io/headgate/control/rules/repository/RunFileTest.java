package io.headgate.control.rules.repository;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFileTest {

  private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @TempDir Path directory;

  @Test
  void peopleCanReadWhatIsInIt() throws Exception {
    RunFile runs = new RunFile(directory.resolve("runs"));
    runs.note(Map.of("run", "2026-11-30T02:30:00Z"));
    assertThat(runs.tryLease("one", NOON, MINUTE)).isNotNull();

    assertThat(directory.resolve("runs"))
        .hasContent("holder: one\nrun: 2026-11-30T02:30:00Z\nuntil: 2026-11-30T12:01:00Z\n");
  }

  /** A process may die, or a disk be full, in the middle of a line. */
  @Test
  void whatIsTornSaysNothing() throws Exception {
    Path file = directory.resolve("runs");
    Files.writeString(file, "holder: one\nuntil: 2026-11-3");
    RunFile runs = new RunFile(file);

    assertThat(runs.holder(NOON)).isEmpty();
    assertThat(runs.notes()).isEmpty();
    assertThat(runs.tryLease("two", NOON, MINUTE)).isNotNull();
  }

  @Test
  void aShorterTextLeavesNothingOfALongerOne() throws Exception {
    RunFile runs = new RunFile(directory.resolve("runs"));
    runs.note(Map.of("revision", "0123456789"));
    runs.note(Map.of("revision", "1"));

    assertThat(directory.resolve("runs")).hasContent("revision: 1\n");
  }

  @Test
  void whoHasTheLeaseMayTakeItAgain() throws Exception {
    RunFile runs = new RunFile(directory.resolve("runs"));
    assertThat(runs.tryLease("one", NOON, MINUTE)).isNotNull();
    assertThat(runs.tryLease("one", NOON.plusSeconds(30), MINUTE)).isNotNull();
    assertThat(runs.holder(NOON.plusSeconds(80))).isEqualTo("one");
  }
}
