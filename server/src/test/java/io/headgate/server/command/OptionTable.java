package io.headgate.server.command;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The options of a command as a table in Markdown. */
public final class OptionTable {

  private static final Pattern DEFAULT = Pattern.compile("\\s*Default: (.*)\\.$");

  private OptionTable() {}

  /** The table, with a line for each option but those for help. */
  public static String of(CommandSpec command) {
    boolean environment = command.defaultValueProvider() instanceof EnvironmentDefaults;
    StringBuilder table =
        new StringBuilder(
            environment
                ? "| option | environment | default | meaning |\n|---|---|---|---|\n"
                : "| option | default | meaning |\n|---|---|---|\n");
    for (OptionSpec option : command.options()) {
      if (!option.usageHelp() && !option.versionHelp()) {
        table.append(row(option, environment));
      }
    }
    return table.toString();
  }

  private static String row(OptionSpec option, boolean environment) {
    String value = option.arity().max() == 0 ? "" : " " + option.paramLabel();
    String text = text(option);
    Matcher stated = DEFAULT.matcher(text);
    String defaultValue = "";
    if (option.required()) {
      defaultValue = "required";
    } else if (option.defaultValue() != null && option.arity().max() > 0) {
      defaultValue = "`" + option.defaultValue() + "`";
    } else if (stated.find()) {
      defaultValue = stated.group(1);
    } else if (option.arity().max() == 0) {
      defaultValue = "off";
    } else {
      defaultValue = "none";
    }
    String meaning = stated.reset().replaceFirst("");
    return "| `"
        + option.longestName()
        + value
        + "` | "
        + (environment ? "`" + EnvironmentDefaults.variable(option) + "` | " : "")
        + defaultValue
        + " | "
        + meaning
        + " |\n";
  }

  private static String text(OptionSpec option) {
    String candidates =
        option.completionCandidates() == null
            ? ""
            : String.join(", ", option.completionCandidates()).toLowerCase(Locale.ROOT);
    return String.join(" ", List.of(option.description()))
        .replace("${COMPLETION-CANDIDATES}", candidates)
        .replace("%%", "%");
  }
}
