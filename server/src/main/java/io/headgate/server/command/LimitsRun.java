package io.headgate.server.command;

import io.headgate.configurator.plan.ChangeSet;
import io.headgate.configurator.plan.ConfiguratorConfig;
import io.headgate.configurator.plan.LimitPlanner;
import io.headgate.configurator.source.MetricSource;
import io.headgate.configurator.source.SourceException;
import io.headgate.core.rule.RuleSet;
import io.headgate.server.terminal.ProgressBar;
import io.headgate.server.terminal.UserError;
import java.io.PrintWriter;

/** One run of the configurator by hand. */
final class LimitsRun {

  /** Most of the time of a run is spent waiting for the source. */
  private static final int THREADS_PER_PROCESSOR = 2;

  private LimitsRun() {}

  static ChangeSet changes(LimitsOptions options, RuleSet rules, PrintWriter err)
      throws InterruptedException {
    ConfiguratorConfig config = options.config();
    int threads = THREADS_PER_PROCESSOR * Runtime.getRuntime().availableProcessors();
    ProgressBar bar = new ProgressBar(err);
    try (MetricSource source = config.source()) {
      return new LimitPlanner(config, threads).plan(rules, options.at(), bar::show);
    } catch (SourceException e) {
      throw failed(e);
    } finally {
      bar.clear();
    }
  }

  static UserError failed(SourceException e) {
    return UserError.failed(e.getMessage() + "; no limit was computed");
  }
}
