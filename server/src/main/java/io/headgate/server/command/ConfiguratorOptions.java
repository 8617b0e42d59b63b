package io.headgate.server.command;

import io.headgate.server.run.ConfiguratorSettings;
import io.headgate.server.terminal.UserError;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What the role configurator needs besides the rules. */
final class ConfiguratorOptions {

  @Option(
      names = "--configurator-config",
      paramLabel = "FILE",
      description = "Role configurator: how limits are computed, and when.")
  private @Nullable Path config;

  @Mixin private RuleStoreOptions store = new RuleStoreOptions();

  /** The settings, checked. */
  ConfiguratorSettings settings(Path rules) {
    if (config == null) {
      throw UserError.usage(
          "--configurator-config: missing (expected: a file that says how limits are computed, for"
              + " the role configurator)");
    }
    return new ConfiguratorSettings(config, store.open(rules), store.author());
  }
}
