package io.headgate.server.command;

import io.headgate.configurator.plan.ChangeSet;
import io.headgate.control.rules.RuleCodec;
import io.headgate.core.rule.RuleSet;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code headgate limits compute}: the changed services, as a rule file. */
@Command(
    name = "compute",
    description = {
      "Compute limits and print the services that change, as a rule file, on standard output.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class,
    sortOptions = false,
    footer = {
      "",
      "The same rules, rates and --at give the same bytes.",
      "",
      "Examples:",
      "  headgate limits compute --config configurator.yaml --rules rules/ > changed.yaml"
    })
public final class LimitsComputeCommand implements Callable<Integer> {

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Mixin private LimitsOptions options = new LimitsOptions();

  @Override
  public Integer call() throws InterruptedException {
    RuleSet rules = options.rules();
    PrintWriter err = spec.commandLine().getErr();
    ChangeSet changes = LimitsRun.changes(options, rules, err);
    PrintWriter out = spec.commandLine().getOut();
    out.print(RuleCodec.write(changes.applyTo(rules)));
    out.flush();
    err.println(changes.summary());
    err.flush();
    return 0;
  }
}
