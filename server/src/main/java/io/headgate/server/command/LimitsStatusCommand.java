package io.headgate.server.command;

import io.headgate.configurator.promotion.Promotions;
import io.headgate.control.rules.repository.DirectoryRuleRepository;
import io.headgate.control.rules.repository.RuleRepository;
import io.headgate.server.terminal.UserError;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code headgate limits status}: where each rule stands. */
@Command(
    name = "status",
    description = {
      "Show where each rule stands: its limit, what is on trial and since when, the share of the",
      "calls that this would have dropped in shadow, and what it waits for. Nothing is changed.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class,
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  headgate limits status --config configurator.yaml --rules rules/"
    })
public final class LimitsStatusCommand implements Callable<Integer> {

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Mixin private LimitsOptions options = new LimitsOptions();

  @Override
  public Integer call() throws InterruptedException {
    // As a directory, so that what nobody has committed yet is shown too.
    try (RuleRepository repository = new DirectoryRuleRepository(options.rulesDirectory())) {
      Promotions promotions =
          LimitsRun.promotions(options, repository.read(), spec.commandLine().getErr());
      PrintWriter out = spec.commandLine().getOut();
      PromotionView.status(promotions).forEach(out::println);
      out.flush();
      return 0;
    } catch (IOException e) {
      throw UserError.failed(String.valueOf(e.getMessage()));
    }
  }
}
