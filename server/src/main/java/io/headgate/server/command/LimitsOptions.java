package io.headgate.server.command;

import io.headgate.configurator.plan.ConfigReader;
import io.headgate.configurator.plan.ConfiguratorConfig;
import io.headgate.control.rules.DirectoryRuleStore;
import io.headgate.control.rules.RuleSnapshot;
import io.headgate.core.rule.RuleSet;
import io.headgate.server.terminal.UserError;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What the commands that compute limits have in common. */
final class LimitsOptions {

  @Option(
      names = "--config",
      paramLabel = "FILE",
      required = true,
      description = "How limits are computed, and from which rates.")
  private Path config = Path.of("");

  @Option(
      names = "--rules",
      paramLabel = "DIR",
      required = true,
      description = "The directory of rule files (*.yaml).")
  private Path rules = Path.of("");

  @Option(
      names = "--at",
      paramLabel = "TIME",
      description =
          "The moment for which limits are computed, such as 2026-11-27T08:00:00Z. Default: now.")
  private @Nullable Instant at;

  ConfiguratorConfig config() {
    ConfigReader.Reading reading = ConfigReader.read(config);
    ConfiguratorConfig read = reading.config();
    if (read == null) {
      throw UserError.failed(lines("the configuration has mistakes", reading.problems()));
    }
    return read;
  }

  /** The directory, which is there. */
  Path rulesDirectory() {
    if (!Files.isDirectory(rules)) {
      throw UserError.failed(rules + ": there is no such directory (expected: one of rule files)");
    }
    return rules;
  }

  RuleSet rules() {
    SimulateCommand.silence(); // what a store has to say of its rules is said below
    try (DirectoryRuleStore store = DirectoryRuleStore.open(rules)) {
      RuleSnapshot snapshot = store.current();
      if (!snapshot.problems().isEmpty()) {
        throw UserError.failed(lines("the rules have mistakes", snapshot.problems()));
      }
      return snapshot.rules();
    }
  }

  Instant at() {
    return at == null ? Instant.now() : at;
  }

  private static String lines(String what, List<?> problems) {
    return problems.stream()
        .map(String::valueOf)
        .collect(Collectors.joining("\n  ", what + ":\n  ", ""));
  }
}
