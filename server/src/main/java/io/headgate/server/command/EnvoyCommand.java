package io.headgate.server.command;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code headgate envoy}: what is for people who run Envoys. */
@Command(
    name = "envoy",
    description = "Let unmodified Envoys limit calls.",
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class,
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    footer = {
      "",
      "Examples:",
      "  headgate envoy bootstrap --help",
      "  headgate demo --envoy",
    },
    subcommands = BootstrapCommand.class)
public final class EnvoyCommand implements Runnable {

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "no command given (expected: bootstrap)");
  }
}
