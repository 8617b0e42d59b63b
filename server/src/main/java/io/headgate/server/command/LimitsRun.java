package io.headgate.server.command;

import io.headgate.configurator.plan.ChangeSet;
import io.headgate.configurator.plan.ConfiguratorConfig;
import io.headgate.configurator.plan.LimitPlanner;
import io.headgate.configurator.plan.LimitTasks;
import io.headgate.configurator.promotion.Promotion;
import io.headgate.configurator.promotion.Promotions;
import io.headgate.configurator.source.MetricSource;
import io.headgate.configurator.source.SourceException;
import io.headgate.control.rules.repository.RuleFiles;
import io.headgate.core.rule.RuleSet;
import io.headgate.server.terminal.ProgressBar;
import io.headgate.server.terminal.UserError;
import java.io.PrintWriter;

/** One run of the configurator by hand. */
final class LimitsRun {

  private LimitsRun() {}

  static ChangeSet changes(LimitsOptions options, RuleSet rules, PrintWriter err)
      throws InterruptedException {
    return changes(options.config(), options, rules, err);
  }

  static ChangeSet changes(
      ConfiguratorConfig config, LimitsOptions options, RuleSet rules, PrintWriter err)
      throws InterruptedException {
    ProgressBar bar = new ProgressBar(err);
    try (MetricSource source = config.source()) {
      return new LimitPlanner(config, LimitTasks.usualThreads())
          .plan(rules, options.at(), bar::show);
    } catch (SourceException e) {
      throw failed(e);
    } finally {
      bar.clear();
    }
  }

  /** What becomes of limits on trial. */
  static Promotions promotions(LimitsOptions options, RuleFiles rules, PrintWriter err)
      throws InterruptedException {
    requireValid(rules);
    ConfiguratorConfig config = options.config();
    ProgressBar bar = new ProgressBar(err);
    try (MetricSource source = config.source()) {
      return new Promotion(config, LimitTasks.usualThreads())
          .decide(rules, options.at(), bar::show);
    } catch (SourceException e) {
      throw UserError.failed(e.getMessage() + "; nothing was decided");
    } finally {
      bar.clear();
    }
  }

  static void requireValid(RuleFiles rules) {
    if (!rules.problems().isEmpty()) {
      throw UserError.failed("the rules have mistakes: " + rules.problems().get(0));
    }
  }

  static UserError failed(SourceException e) {
    return UserError.failed(e.getMessage() + "; no limit was computed");
  }
}
