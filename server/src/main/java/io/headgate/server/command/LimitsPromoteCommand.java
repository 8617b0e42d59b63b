package io.headgate.server.command;

import io.headgate.configurator.promotion.Promotions;
import io.headgate.control.rules.repository.InvalidEditException;
import io.headgate.control.rules.repository.RuleConflictException;
import io.headgate.server.terminal.UserError;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headgate limits promote}: one step of each limit on trial. */
@Command(
    name = "promote",
    description = {
      "Enforce candidates, and rules in shadow, that have shown what is asked of them: limits of",
      "zones and regions in one zone first, then in its region, then everywhere, each a soak after",
      "the other; and take back what drops too much. A run makes one step of each rule, if it is",
      "time for it, and writes all of them or none. What it has to remember is in the rule files.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class,
    sortOptions = false,
    footer = {
      "",
      "Run it more often than a soak takes: each few minutes. The same rules, rates and --at give",
      "the same bytes.",
      "",
      "Examples:",
      "  headgate limits promote --config configurator.yaml --rules rules/ --dry-run",
      "  headgate limits promote --config configurator.yaml --rules rules/",
      "  headgate limits status --config configurator.yaml --rules rules/",
      "  headgate limits revert --rules rules/"
    })
public final class LimitsPromoteCommand implements Callable<Integer> {

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Mixin private LimitsOptions options = new LimitsOptions();
  @Mixin private RuleStoreOptions store = new RuleStoreOptions();

  @Option(names = "--dry-run", description = "Say what would be done, and write nothing.")
  private boolean dryRun;

  @Override
  public Integer call() throws InterruptedException {
    try (RulesOfOneRun rules =
        RulesOfOneRun.open(store, options.rulesDirectory(), "headgate limits promote")) {
      Promotions promotions =
          LimitsRun.promotions(options, rules.base(), spec.commandLine().getErr());
      if (promotions.isChange() && !dryRun) {
        rules.write(promotions.change(store.author()));
      }
      PrintWriter out = spec.commandLine().getOut();
      PromotionView.steps(promotions).forEach(out::println);
      out.println(promotions.isChange() ? written() : "nothing is to be changed");
      out.flush();
      return 0;
    } catch (IOException | InvalidEditException e) {
      throw UserError.failed(e.getMessage() + "; no limit was changed");
    } catch (RuleConflictException e) {
      throw UserError.failed(e.getMessage() + "; no limit was changed, run it again");
    }
  }

  private String written() {
    return dryRun ? "nothing was written (--dry-run)" : "written to " + options.rulesDirectory();
  }
}
