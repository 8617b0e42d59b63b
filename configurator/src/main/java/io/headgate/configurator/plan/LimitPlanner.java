package io.headgate.configurator.plan;

import io.headgate.configurator.series.LimitKey;
import io.headgate.configurator.source.SourceException;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.RuleSet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.DoubleConsumer;
import java.util.function.Predicate;

/**
 * Computes all limits at one moment. It is all or nothing: if a rate cannot be read, there is no
 * change set, and so no limit that changes for want of what was known of another.
 */
public final class LimitPlanner {

  private final ConfiguratorConfig config;
  private final int threads;

  /**
   * @param threads how many limits are computed at the same time; has no influence on the result
   */
  public LimitPlanner(ConfiguratorConfig config, int threads) {
    this.config = config;
    this.threads = threads;
  }

  /**
   * Computes the limits of all rules.
   *
   * @param now the moment for which
   * @param progress is told how much is done, from 0 to 1
   * @throws SourceException if a rate cannot be read
   */
  public ChangeSet plan(RuleSet rules, Instant now, DoubleConsumer progress)
      throws SourceException, InterruptedException {
    return plan(rules, limit -> true, now, progress);
  }

  /**
   * Computes some limits; the others stay as they are.
   *
   * @param about which
   * @param now the moment for which
   * @param progress is told how much is done, from 0 to 1
   * @throws SourceException if a rate cannot be read
   */
  public ChangeSet plan(
      RuleSet rules, Predicate<LimitKey> about, Instant now, DoubleConsumer progress)
      throws SourceException, InterruptedException {
    LimitReview review = new LimitReview(config, now);
    List<LimitKey> limits = limits(rules).stream().filter(about).toList();
    List<LimitDecision> decisions =
        new LimitTasks(threads).results(limits, review::decide, progress);
    ChangeSet changes = new ChangeSet(now, rules.digest(), decisions, List.of());
    return CapacityCheck.check(changes, rules, config.capacities());
  }

  /**
   * All limits of some rules, in the order of services and rules. Candidates are not limits, but
   * what may become one.
   */
  public static List<LimitKey> limits(RuleSet rules) {
    List<LimitKey> limits = new ArrayList<>();
    for (var service : new TreeMap<>(rules.services()).entrySet()) {
      for (Rule rule : service.getValue().rules()) {
        if (rule.name().endsWith(Rule.CANDIDATE)) {
          continue;
        }
        limits.add(new LimitKey(service.getKey(), rule, ""));
        for (String place : new TreeSet<>(rule.limitsAt().keySet())) {
          limits.add(new LimitKey(service.getKey(), rule, place));
        }
      }
    }
    return limits;
  }
}
