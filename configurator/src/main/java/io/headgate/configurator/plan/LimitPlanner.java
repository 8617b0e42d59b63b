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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;

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
    LimitReview review = new LimitReview(config, now);
    List<LimitKey> limits = limits(rules);
    List<LimitDecision> decisions = new ArrayList<>();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<@Nullable LimitDecision>> pending = new ArrayList<>();
      for (LimitKey limit : limits) {
        pending.add(pool.submit(() -> review.decide(limit)));
      }
      for (int i = 0; i < pending.size(); i++) {
        LimitDecision decision = result(pending.get(i));
        if (decision != null) {
          decisions.add(decision);
        }
        progress.accept((i + 1.0) / pending.size());
      }
    } finally {
      pool.shutdownNow();
    }
    ChangeSet changes = new ChangeSet(now, rules.digest(), decisions, List.of());
    return CapacityCheck.check(changes, rules, config.capacities());
  }

  /**
   * All limits of some rules, in the order of services and rules. Candidates are not limits, but
   * what may become one.
   */
  static List<LimitKey> limits(RuleSet rules) {
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

  private static @Nullable LimitDecision result(Future<@Nullable LimitDecision> pending)
      throws SourceException, InterruptedException {
    try {
      return pending.get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof SourceException source) {
        throw new SourceException(String.valueOf(source.getMessage()));
      }
      if (cause instanceof InterruptedException) {
        throw new InterruptedException("interrupted while a rate was read");
      }
      throw new IllegalStateException("a limit could not be computed", cause);
    }
  }
}
