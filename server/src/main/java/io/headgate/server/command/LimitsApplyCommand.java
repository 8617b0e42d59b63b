package io.headgate.server.command;

import io.headgate.configurator.plan.ChangeSet;
import io.headgate.configurator.plan.ConfiguratorConfig;
import io.headgate.configurator.run.LimitEdits;
import io.headgate.control.rules.repository.InvalidEditException;
import io.headgate.control.rules.repository.RuleConflictException;
import io.headgate.control.rules.repository.RuleFiles;
import io.headgate.core.rule.RuleSet;
import io.headgate.server.terminal.UserError;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headgate limits apply}: computes limits and writes them to the rules. */
@Command(
    name = "apply",
    description = {
      "Compute limits and write them to the rule files: as candidates, which are judged in shadow",
      "until headgate limits promote enforces them, or with --enforce as limits. All are written,",
      "or none; a controller that watches the rules has them in force a moment later.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class,
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  headgate limits plan --config configurator.yaml --rules rules/",
      "  headgate limits apply --config configurator.yaml --rules rules/",
      "  headgate limits apply --config configurator.yaml --rules rules/ --enforce",
      "  headgate limits revert --rules rules/"
    })
public final class LimitsApplyCommand implements Callable<Integer> {

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Mixin private LimitsOptions options = new LimitsOptions();
  @Mixin private RuleStoreOptions store = new RuleStoreOptions();

  @Option(
      names = "--enforce",
      description =
          "Write limits, and take away the candidates of the rules that they are for. Limits of"
              + " single regions and zones have no candidates, and are written only so.")
  private boolean enforce;

  @Override
  public Integer call() throws InterruptedException {
    try (RulesOfOneRun rules =
        RulesOfOneRun.open(store, options.rulesDirectory(), "headgate limits apply")) {
      RuleFiles base = rules.base();
      ConfiguratorConfig config = options.config();
      ChangeSet changes =
          LimitsRun.changes(
              config, options, RuleSet.of(1, base.services()), spec.commandLine().getErr());
      RuleFiles after = rules.write(LimitEdits.of(changes, base, config, enforce, store.author()));
      PrintWriter out = spec.commandLine().getOut();
      LimitsView.lines(changes).forEach(out::println);
      out.println(
          after.revision().equals(base.revision())
              ? "the rules say so already; nothing was written"
              : "written to " + options.rulesDirectory());
      out.flush();
      return 0;
    } catch (IOException | InvalidEditException e) {
      throw UserError.failed(e.getMessage() + "; no limit was changed");
    } catch (RuleConflictException e) {
      throw UserError.failed(e.getMessage() + "; no limit was changed, run it again");
    }
  }
}
