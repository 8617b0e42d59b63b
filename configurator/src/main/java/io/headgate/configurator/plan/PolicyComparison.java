package io.headgate.configurator.plan;

import io.headgate.configurator.backtest.BackTest;
import io.headgate.configurator.backtest.BackTestResult;
import io.headgate.configurator.history.Cleaning;
import io.headgate.configurator.policy.LimitPolicy;
import io.headgate.configurator.series.LimitKey;
import io.headgate.configurator.series.Series;
import io.headgate.configurator.series.TimeRange;
import io.headgate.configurator.source.Measure;
import io.headgate.configurator.source.MetricQuery;
import io.headgate.configurator.source.SourceException;
import io.headgate.core.rule.RuleSet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleConsumer;

/** What several policies would have done with the limits that a configuration is about. */
public final class PolicyComparison {

  /** The name of the policy that the configuration has for a limit. */
  public static final String CONFIGURED = "configured";

  private final ConfiguratorConfig config;
  private final int days;
  private final int periodDays;

  /**
   * @param days how much of the past is rolled through, more than the configuration's history
   * @param periodDays how long each period is that is judged
   */
  public PolicyComparison(ConfiguratorConfig config, int days, int periodDays) {
    this.config = config;
    this.days = days;
    this.periodDays = periodDays;
  }

  /**
   * What one policy would have done with one limit.
   *
   * @param limit the limit
   * @param policy the policy's name
   * @param result what it would have done
   */
  public record Row(LimitKey limit, String policy, BackTestResult result) {}

  /**
   * Tries each policy, and the configured one, on each limit. Throttled time is not masked: what is
   * wanted is how far limits would have been from what was offered.
   *
   * @param policies by name
   * @throws SourceException if a rate cannot be read
   */
  public List<Row> run(
      RuleSet rules, Map<String, LimitPolicy> policies, Instant now, DoubleConsumer progress)
      throws SourceException, InterruptedException {
    long end = now.getEpochSecond() - now.getEpochSecond() % config.stepSeconds();
    TimeRange past = new TimeRange(end - (long) days * Series.DAY, end);
    Cleaning cleaning = new Cleaning(config.calendar(), true);
    int trainingDays = Math.toIntExact(config.history().toDays());
    BackTest test = new BackTest(trainingDays, periodDays, cleaning, cleaning);
    List<LimitKey> limits =
        LimitPlanner.limits(rules).stream().filter(limit -> config.choice(limit) != null).toList();
    List<Row> rows = new ArrayList<>();
    for (LimitKey limit : limits) {
      Series offered =
          config.source().read(new MetricQuery(limit, Measure.OFFERED, past, config.stepSeconds()));
      Map<String, LimitPolicy> all = new LinkedHashMap<>();
      RuleChoice choice = config.choice(limit);
      if (choice != null) {
        all.put(CONFIGURED, choice.policy());
      }
      all.putAll(policies);
      all.forEach(
          (name, policy) -> rows.add(new Row(limit, name, test.run(policy, limit, offered))));
      progress.accept((double) rows.size() / (limits.size() * all.size()));
    }
    return rows;
  }
}
