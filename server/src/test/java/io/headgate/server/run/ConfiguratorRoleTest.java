package io.headgate.server.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.headgate.configurator.run.ConfiguratorStatus;
import io.headgate.control.rules.repository.DirectoryRuleRepository;
import io.headgate.core.rule.Location;
import io.headgate.server.terminal.UserError;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfiguratorRoleTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;
  private Path rules;
  private Path config;

  @BeforeEach
  void writeRules() throws IOException {
    rules = Files.createDirectory(directory.resolve("rules"));
    config = directory.resolve("configurator.yaml");
    Files.writeString(
        rules.resolve("payments.yaml"),
        "service: payments\nrules:\n  - name: charge\n    limit: 50/s\n");
  }

  @Test
  void aRunOnASourceThatDoesNotAnswerIsBrokenOffAtTheEnd() throws Exception {
    String before = Files.readString(rules.resolve("payments.yaml"));
    try (ServerSocket silent = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
      write("{ kind: prometheus, url: 'http://127.0.0.1:" + silent.getLocalPort() + "' }");
      ConfiguratorRole role = role();
      role.start();
      await().atMost(PATIENCE).until(() -> status(role).running().equals("rules"));
      assertThat(repository().leaseHolder(Instant.now())).isEqualTo("one, started at 7");

      role.stop();

      assertThat(repository().leaseHolder(Instant.now())).isEmpty();
      assertThat(Files.readString(rules.resolve("payments.yaml"))).isEqualTo(before);
    }
  }

  @Test
  void aSourceThatCannotBeReadShowsInTheStatus() throws Exception {
    write("{ kind: csv, directory: nowhere }");
    ConfiguratorRole role = role();
    role.start();
    try {
      await().atMost(PATIENCE).until(() -> status(role).failures() == 1);

      assertThat(status(role).failure()).contains("charge.csv: there is no such file");
      assertThat(role.missing()).as("it is of use still").isEmpty();
    } finally {
      role.stop();
    }
  }

  @Test
  void aConfigurationWithMistakesIsSaidAtTheStart() throws IOException {
    write("{ kind: csw }");

    assertThatThrownBy(this::role)
        .isInstanceOf(UserError.class)
        .hasMessageStartingWith("--configurator-config: it has mistakes:\n  ")
        .hasMessageContaining("configurator.yaml:1:17: kind: found 'csw'");
  }

  private void write(String source) throws IOException {
    Files.writeString(config, "source: " + source + "\nlimits: [{}]\n");
  }

  private static ConfiguratorStatus status(ConfiguratorRole role) {
    return (ConfiguratorStatus) role.status().join();
  }

  private DirectoryRuleRepository repository() {
    return new DirectoryRuleRepository(rules);
  }

  private ConfiguratorRole role() {
    HostPort anyPort = new HostPort("127.0.0.1", 0);
    ConfiguratorSettings settings = new ConfiguratorSettings(config, repository(), "a <a@b>");
    ServerSettings server =
        new ServerSettings(
            Set.of(Role.CONFIGURATOR),
            "one",
            7,
            new Location("eu", ""),
            anyPort,
            anyPort,
            List.of(),
            anyPort,
            List.of(),
            List.of(),
            rules,
            0,
            Duration.ofSeconds(1),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            null,
            settings);
    return new ConfiguratorRole(server, settings, new SimpleMeterRegistry());
  }
}
