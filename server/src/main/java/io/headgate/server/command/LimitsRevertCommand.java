package io.headgate.server.command;

import io.headgate.configurator.run.RunNotes;
import io.headgate.control.rules.repository.RuleConflictException;
import io.headgate.control.rules.repository.RuleRepository;
import io.headgate.server.terminal.UserError;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headgate limits revert}: takes the last change of limits back. */
@Command(
    name = "revert",
    description = {
      "Take the last change of limits back, if nobody has changed the rules since.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class,
    sortOptions = false,
    footer = {"", "Examples:", "  headgate limits revert --rules rules/"})
public final class LimitsRevertCommand implements Callable<Integer> {

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Option(
      names = "--rules",
      paramLabel = "DIR",
      required = true,
      description = "The directory of rule files.")
  private Path rules = Path.of("");

  @Mixin private RuleStoreOptions store = new RuleStoreOptions();

  @Override
  public Integer call() {
    try (RuleRepository repository = store.open(rules)) {
      // A service that keeps limits up to date must not take this for a reason to compute them.
      repository.note(RunNotes.revision(repository.revert(store.author()).revision()));
      PrintWriter out = spec.commandLine().getOut();
      out.println("the last change of limits in " + rules + " is taken back");
      out.flush();
      return 0;
    } catch (IOException | RuleConflictException e) {
      throw UserError.failed(e.getMessage() + "; nothing was changed");
    }
  }
}
