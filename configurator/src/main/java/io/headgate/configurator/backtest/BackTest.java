package io.headgate.configurator.backtest;

import io.headgate.configurator.history.Cleaning;
import io.headgate.configurator.history.History;
import io.headgate.configurator.policy.LimitPolicy;
import io.headgate.configurator.policy.Outlook;
import io.headgate.configurator.series.LimitKey;
import io.headgate.configurator.series.Series;
import java.util.ArrayList;
import java.util.List;
import org.hipparchus.stat.StatUtils;

/**
 * Rolls through the past: from each stretch of it a policy says a limit, which is held against the
 * period that came next. Guards have no part in it: they make any policy look calm.
 */
public final class BackTest {

  /** An attack that is not in the calendar: five times the rate for six hours. */
  private static final double ATTACK = 5;

  private static final int ATTACK_HOURS = 6;
  private static final int ATTACK_DAYS_BEFORE_END = 4;

  private final int trainingDays;
  private final int periodDays;
  private final Cleaning training;
  private final Cleaning judging;

  /**
   * @param trainingDays how long a stretch is
   * @param periodDays how long the period is that comes next
   * @param training cleans what the policy learns from
   * @param judging knows when drops are right
   */
  public BackTest(int trainingDays, int periodDays, Cleaning training, Cleaning judging) {
    if (trainingDays < ATTACK_DAYS_BEFORE_END || periodDays < 1) {
      throw new IllegalArgumentException(
          "days: %d and %d (expected: %d or more to learn from, 1 or more to judge)"
              .formatted(trainingDays, periodDays, ATTACK_DAYS_BEFORE_END));
    }
    this.trainingDays = trainingDays;
    this.periodDays = periodDays;
    this.training = training;
    this.judging = judging;
  }

  /**
   * Tries a policy. Periods are counted from the beginning; a rest that is no whole one is left
   * out.
   *
   * @return what it would have done; no periods if there is too little of the past, or too much of
   *     it was left out
   */
  public BackTestResult run(LimitPolicy policy, LimitKey limit, Series offered) {
    int perDay = offered.stepsPerDay();
    List<Double> toPeak = new ArrayList<>();
    List<Double> inflations = new ArrayList<>();
    double dropped = 0;
    double total = 0;
    int period = periodDays * perDay;
    for (int at = trainingDays * perDay; at + period <= offered.size(); at += period) {
      Series past = offered.part(at - trainingDays * perDay, at);
      double perSecond = limit(policy, limit, past);
      double attacked = limit(policy, limit, attacked(past));
      Series next = offered.part(at, at + period);
      double[] known = next.known();
      if (Double.isNaN(perSecond) || known.length == 0 || StatUtils.max(known) <= 0) {
        continue;
      }
      toPeak.add(perSecond / StatUtils.max(known));
      inflations.add(attacked / perSecond);
      for (double value : judging.outsideWindows(limit, next).known()) {
        total += value;
        dropped += Math.max(0, value - perSecond);
      }
    }
    return toPeak.isEmpty()
        ? new BackTestResult(0, Double.NaN, Double.NaN, Double.NaN, Double.NaN)
        : new BackTestResult(
            toPeak.size(),
            total == 0 ? 0 : dropped / total,
            median(toPeak),
            toPeak.stream().mapToDouble(Double::doubleValue).min().orElse(Double.NaN),
            median(inflations));
  }

  /** The limit that the policy says, NaN if it cannot. */
  private double limit(LimitPolicy policy, LimitKey limit, Series past) {
    double[] none = new double[past.size()];
    History history = training.clean(limit, past, past.withValues(none));
    if (policy.needsHistory() && history.usualPeaks().length == 0) {
      return Double.NaN;
    }
    Outlook outlook =
        new Outlook(
            past.range().toSecond(), (long) periodDays * Series.DAY, limit.current().perSecond());
    return policy.estimate(history, outlook).perSecond();
  }

  private static Series attacked(Series past) {
    double[] values = past.values();
    int from = values.length - ATTACK_DAYS_BEFORE_END * past.stepsPerDay() + past.stepsPerDay() / 2;
    for (int i = from; i < from + past.stepsPerDay() * ATTACK_HOURS / 24; i++) {
      values[i] *= ATTACK;
    }
    return past.withValues(values);
  }

  private static double median(List<Double> values) {
    return StatUtils.percentile(values.stream().mapToDouble(Double::doubleValue).toArray(), 50);
  }
}
