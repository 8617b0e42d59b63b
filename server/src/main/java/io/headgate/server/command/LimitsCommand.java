package io.headgate.server.command;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code headgate limits}: limits that follow from weeks of real traffic. */
@Command(
    name = "limits",
    description = {"Compute limits from weeks of real traffic.", ""},
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class,
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    subcommands = {
      LimitsPlanCommand.class,
      LimitsComputeCommand.class,
      LimitsApplyCommand.class,
      LimitsPromoteCommand.class,
      LimitsStatusCommand.class,
      LimitsRevertCommand.class,
      LimitsBacktestCommand.class,
    },
    footer = {
      "",
      "Examples:",
      "  headgate limits plan --config configurator.yaml --rules rules/",
      "  headgate limits compute --config configurator.yaml --rules rules/ > changed.yaml",
      "  headgate limits apply --config configurator.yaml --rules rules/",
      "  headgate limits promote --config configurator.yaml --rules rules/",
      "  headgate limits status --config configurator.yaml --rules rules/",
      "  headgate limits backtest --config configurator.yaml --rules rules/"
    })
public final class LimitsCommand implements Runnable {

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(),
        "no command given (expected one of: "
            + String.join(", ", spec.subcommands().keySet())
            + ")");
  }
}
