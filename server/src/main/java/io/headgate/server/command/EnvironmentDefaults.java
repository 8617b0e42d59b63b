package io.headgate.server.command;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Gives an option that is not on the command line its value from the environment. */
public final class EnvironmentDefaults implements IDefaultValueProvider {

  private final Map<String, String> environment;

  /** Defaults from this process's environment; made by picocli. */
  public EnvironmentDefaults() {
    this(System.getenv());
  }

  EnvironmentDefaults(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public @Nullable String defaultValue(ArgSpec argument) {
    if (!(argument instanceof OptionSpec option) || option.usageHelp() || option.versionHelp()) {
      return null;
    }
    String value = environment.get(variable(option));
    return value == null || value.isEmpty() ? null : value;
  }

  /** The variable for an option: {@code HEADGATE_TLS_CERT} for {@code --tls-cert}. */
  static String variable(OptionSpec option) {
    return "HEADGATE"
        + option.longestName().substring(1).replace('-', '_').toUpperCase(Locale.ROOT);
  }
}
