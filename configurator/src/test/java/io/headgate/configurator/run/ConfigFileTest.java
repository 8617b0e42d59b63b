package io.headgate.configurator.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.configurator.plan.ConfiguratorConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigFileTest {

  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void writeOne() throws IOException {
    file = directory.resolve("configurator.yaml");
    write("schedule: '0 1 * * *'");
  }

  private void write(String more) throws IOException {
    Files.writeString(
        file, "source: { kind: csv, directory: rates }\nlimits: [{}]\n" + more + "\n");
  }

  @Test
  void aChangeIsInForceFromTheNextLook() throws Exception {
    ConfigFile config = ConfigFile.open(file);
    ConfiguratorConfig first = config.current();
    assertThat(config.current()).isSameAs(first);

    write("schedule: '15 13 * * *'");

    assertThat(config.current().triggers().schedule()).hasToString("15 13 * * *");
  }

  @Test
  void oneWithMistakesIsNotInForceUntilItIsMended() throws Exception {
    ConfigFile config = ConfigFile.open(file);
    write("schedule: never");

    assertThat(config.current().triggers().schedule()).hasToString("0 1 * * *");
    assertThat(config.problems()).isEqualTo(1);

    write("schedule: '0 2 * * *'");
    assertThat(config.current().triggers().schedule()).hasToString("0 2 * * *");
    assertThat(config.problems()).isZero();
  }

  @Test
  void aFileThatIsGoneForAMomentIsAMistakeToo() throws Exception {
    ConfigFile config = ConfigFile.open(file);
    Files.delete(file);

    assertThat(config.current().triggers().schedule()).hasToString("0 1 * * *");
    assertThat(config.problems()).isEqualTo(1);
  }

  @Test
  void aCalendarThatChangesIsReadToo() throws Exception {
    Path calendar = Files.writeString(directory.resolve("calendar.yaml"), "windows: []\n");
    write("calendar: calendar.yaml");
    ConfigFile config = ConfigFile.open(file);
    ConfiguratorConfig before = config.current();

    Files.writeString(
        calendar,
        """
        windows:
          - { kind: incident, from: 2026-03-02T10:00:00Z, to: 2026-03-02T12:00:00Z }
        """);

    assertThat(config.current().calendar()).isNotEqualTo(before.calendar());
  }

  @Test
  void theFirstOneMustHaveNoMistakes() throws IOException {
    write("schedule: never");

    assertThatThrownBy(() -> ConfigFile.open(file))
        .isInstanceOf(ConfigFile.InvalidConfigException.class)
        .hasMessageContaining("configurator.yaml:3:11: schedule: found 'never'");
  }
}
