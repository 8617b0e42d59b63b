package io.headgate.server;

import io.headgate.server.command.EnvoyCommand;
import io.headgate.server.command.KeyedCommand;
import io.headgate.server.command.LimitsCommand;
import io.headgate.server.command.RateLimitCommand;
import io.headgate.server.command.ServerCommand;
import io.headgate.server.command.SimulateCommand;
import io.headgate.server.command.StatusCommand;
import io.headgate.server.command.ValidateCommand;
import io.headgate.server.command.VersionCommand;
import io.headgate.server.demo.DemoCommand;
import io.headgate.server.log.Logging;
import io.headgate.server.terminal.UserError;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code headgate} program. */
@Command(
    name = "headgate",
    description = "An open global rate limiter.",
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class,
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    footer = {
      "",
      "Examples:",
      "  headgate demo                 see calls of four zones being limited together",
      "  headgate simulate step        see a step of demand enforced, in virtual time",
      "  headgate keyed                a node of a cluster, in the place of Gubernator",
      "  headgate envoy bootstrap      print the configuration of an Envoy",
      "  headgate ratelimit            what Envoy's rate limit filter asks",
      "  headgate validate rules/      check rule files before they are used",
      "  headgate limits plan --help   limits that follow from weeks of real traffic",
      "  headgate COMMAND --help       options and examples of a command"
    },
    subcommands = {
      ServerCommand.class,
      KeyedCommand.class,
      RateLimitCommand.class,
      EnvoyCommand.class,
      ValidateCommand.class,
      DemoCommand.class,
      StatusCommand.class,
      SimulateCommand.class,
      LimitsCommand.class,
      VersionCommand.class,
    })
public final class Headgate implements Runnable {

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  private Headgate() {}

  /** Runs the program and ends the process with the command's exit code. */
  public static void main(String[] args) {
    Logging.startQuietly();
    System.exit(commandLine().execute(args));
  }

  /** The program's command line, to be executed once. */
  public static CommandLine commandLine() {
    return new CommandLine(new Headgate())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(Headgate::misused)
        .setExecutionExceptionHandler(Headgate::failed);
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "no command given (expected one of: " + commands() + ")");
  }

  private String commands() {
    return String.join(", ", spec.subcommands().keySet());
  }

  private static int misused(CommandLine.ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    err.println(
        command.getColorScheme().errorText(command.getCommandSpec().qualifiedName() + ": ")
            + String.valueOf(e.getMessage()));
    CommandLine.UnmatchedArgumentException.printSuggestions(e, err);
    err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    err.flush();
    return UserError.USAGE;
  }

  private static int failed(Exception e, CommandLine command, CommandLine.ParseResult parsed) {
    PrintWriter err = command.getErr();
    String name = command.getCommandSpec().qualifiedName() + ": ";
    int exitCode = UserError.FAILED;
    if (e instanceof UserError error) {
      err.println(command.getColorScheme().errorText(name) + String.valueOf(e.getMessage()));
      exitCode = error.exitCode();
    } else {
      err.println(command.getColorScheme().errorText(name) + "this is a defect in headgate:");
      e.printStackTrace(err);
    }
    err.flush();
    return exitCode;
  }
}
