package io.headgate.server.command;

import io.headgate.configurator.plan.ConfiguratorConfig;
import io.headgate.configurator.plan.PolicyComparison;
import io.headgate.configurator.policy.LimitPolicy;
import io.headgate.configurator.policy.Policies;
import io.headgate.configurator.source.MetricSource;
import io.headgate.configurator.source.SourceException;
import io.headgate.server.terminal.ProgressBar;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headgate limits backtest}: what policies would have done. */
@Command(
    name = "backtest",
    description = {
      "Show what policies would have done: roll through the past, compute limits from each",
      "stretch of it, and hold them against the period that came next.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class,
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  headgate limits backtest --config configurator.yaml --rules rules/",
      "  headgate limits backtest --config configurator.yaml --rules rules/ --policy peak,forecast"
    })
public final class LimitsBacktestCommand implements Callable<Integer> {

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Mixin private LimitsOptions options = new LimitsOptions();

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      split = ",",
      description =
          "Policies to compare the configured ones with, with their default parameters. Default:"
              + " peak,quantile,forecast.")
  private List<String> policies = List.of("peak", "quantile", "forecast");

  @Option(
      names = "--days",
      paramLabel = "N",
      defaultValue = "56",
      description = "How many days to roll through, the history to learn from among them.")
  private int days;

  @Option(
      names = "--period",
      paramLabel = "N",
      defaultValue = "7",
      description = "How many days each limit is held against.")
  private int period;

  @Override
  public Integer call() throws InterruptedException {
    ConfiguratorConfig config = options.config();
    requireEnough(config);
    Map<String, LimitPolicy> compared = compared();
    ProgressBar bar = new ProgressBar(spec.commandLine().getErr());
    try (MetricSource source = config.source()) {
      List<PolicyComparison.Row> rows =
          new PolicyComparison(config, days, period)
              .run(options.rules(), compared, options.at(), bar::show);
      bar.clear();
      PrintWriter out = spec.commandLine().getOut();
      LimitsView.lines(rows).forEach(out::println);
      out.flush();
      return 0;
    } catch (SourceException e) {
      bar.clear();
      throw LimitsRun.failed(e);
    }
  }

  private void requireEnough(ConfiguratorConfig config) {
    long least = config.history().toDays() + period;
    if (period < 1 || days < least) {
      throw new CommandLine.ParameterException(
          spec.commandLine(),
          "--days: %d (expected: %d or more, the history and a period)".formatted(days, least));
    }
  }

  private Map<String, LimitPolicy> compared() {
    Policies all = Policies.load();
    Map<String, LimitPolicy> compared = new LinkedHashMap<>();
    for (String name : policies) {
      try {
        compared.put(name, all.withDefaults(name));
      } catch (IllegalArgumentException e) {
        throw new CommandLine.ParameterException(
            spec.commandLine(), "--policy " + name + ": " + e.getMessage(), e);
      }
    }
    return compared;
  }
}
