package io.headgate.control.rules.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.rules.DirectoryRuleStore;
import io.headgate.core.rule.Rate;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A writer is killed at any moment; the rules are the old or the new ones, and the next goes on.
 */
@Tag("process")
class KilledWriterTest {

  private static final int KILLS = 4;
  private static final long SEED = 7;

  @TempDir Path directory;

  @ParameterizedTest(name = "in Git: {0}")
  @ValueSource(booleans = {false, true})
  void allRulesAreOfOneChange(boolean git) throws Exception {
    for (String service : new String[] {"a", "b"}) {
      Files.writeString(
          directory.resolve(service + ".yaml"),
          "service: " + service + "\nrules:\n  - name: all\n    limit: 1/s\n");
    }
    if (git) {
      run("git", "init", "-q");
      run("git", "add", "-A");
      run("git", "-c", "user.name=s", "-c", "user.email=s@localhost", "commit", "-qm", "First");
    }
    RandomGenerator random = RandomGeneratorFactory.of("Xoshiro256PlusPlus").create(SEED);
    for (int kill = 1; kill <= KILLS; kill++) {
      int written = writeUntilKilled(kill * 100_000, random);

      RuleFiles files = KilledWriter.open(directory).read();
      double limit = RuleRepositoryContract.limit(files, "a");
      assertThat(RuleRepositoryContract.limit(files, "b")).isEqualTo(limit);
      assertThat(limit).as("what the writer said was written").isGreaterThanOrEqualTo(written);
      try (DirectoryRuleStore store = DirectoryRuleStore.open(directory)) {
        Rate seen = store.current().rules().rule("a", "all").limit();
        assertThat(store.current().rules().rule("b", "all").limit()).isEqualTo(seen);
        assertThat(store.current().problems()).isEmpty();
      }
    }
  }

  private int writeUntilKilled(int first, RandomGenerator random) throws Exception {
    Process writer =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                KilledWriter.class.getName(),
                directory.toString(),
                Integer.toString(first))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    int written = 0;
    try (BufferedReader output = writer.inputReader()) {
      String line = output.readLine();
      TimeUnit.MICROSECONDS.sleep(random.nextInt(60_000)); // at any moment of its work
      writer.toHandle().destroyForcibly(); // leaves what was said to be read
      writer.waitFor();
      while (line != null) {
        written = Integer.parseInt(line);
        line = output.readLine();
      }
    }
    assertThat(written).isGreaterThanOrEqualTo(first);
    return written;
  }

  private void run(String... command) throws Exception {
    assertThat(
            new ProcessBuilder(command).directory(directory.toFile()).inheritIO().start().waitFor())
        .isZero();
  }
}
