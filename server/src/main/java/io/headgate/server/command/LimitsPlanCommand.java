package io.headgate.server.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.headgate.configurator.plan.ChangeSet;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headgate limits plan}: what a run would change, and why. */
@Command(
    name = "plan",
    description = {"Show what a run would change, and why. Nothing is changed.", ""},
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class,
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  headgate limits plan --config configurator.yaml --rules rules/",
      "  headgate limits plan --config configurator.yaml --rules rules/ --json | jq .decisions"
    })
public final class LimitsPlanCommand implements Callable<Integer> {

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Mixin private LimitsOptions options = new LimitsOptions();

  @Option(
      names = "--json",
      description = "Print {at, rulesDigest, decisions, commitments} on standard output instead.")
  private boolean asJson;

  @Override
  public Integer call() throws JsonProcessingException, InterruptedException {
    ChangeSet changes = LimitsRun.changes(options, options.rules(), spec.commandLine().getErr());
    PrintWriter out = spec.commandLine().getOut();
    if (asJson) {
      out.println(LimitsView.json(changes));
    } else {
      LimitsView.lines(changes).forEach(out::println);
    }
    out.flush();
    return 0;
  }
}
