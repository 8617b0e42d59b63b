package io.headgate.configurator;

import io.headgate.configurator.series.LimitKey;
import io.headgate.configurator.series.Series;
import io.headgate.core.rule.Behavior;
import io.headgate.core.rule.NamePattern;
import io.headgate.core.rule.Rate;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.RuleSet;
import io.headgate.core.rule.Scope;
import io.headgate.core.rule.ServiceRules;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;

/** Generated traffic of the usual kind: days and weeks are alike, and there is noise. */
public final class Traffic {

  /** A Monday. */
  public static final Instant MONDAY = Instant.parse("2026-03-02T00:00:00Z");

  /** A step of five minutes. */
  public static final int STEP = 300;

  private Traffic() {}

  /**
   * Some days of it: 1,000 a second at noon of a weekday, 700 at a weekend, a third of that at
   * night, and 3 % of noise.
   *
   * @param trend what a rate is multiplied by, by the day
   */
  public static Series days(int days, long seed, DoubleUnaryOperator trend) {
    Random random = new Random(seed);
    double[] values = new double[days * Series.DAY / STEP];
    for (int i = 0; i < values.length; i++) {
      double day = (double) i * STEP / Series.DAY;
      double hours = 2.0 / 3 + Math.cos(2 * Math.PI * (day - 0.5)) / 3;
      double ofWeek = (int) day % 7 >= 5 ? 0.7 : 1;
      double noise = 1 + 0.03 * random.nextGaussian();
      values[i] = 1000 * hours * ofWeek * noise * trend.applyAsDouble(day);
    }
    return Series.of(MONDAY.getEpochSecond(), STEP, values);
  }

  /** The same from week to week. */
  public static Series days(int days) {
    return days(days, 1, day -> 1);
  }

  /** The series with some hours multiplied. */
  public static Series times(Series series, double fromDay, double hours, double factor) {
    double[] values = series.values();
    int from = (int) Math.round(fromDay * series.stepsPerDay());
    int to = from + (int) Math.round(hours * series.stepsPerDay() / 24);
    for (int i = from; i < to; i++) {
      values[i] *= factor;
    }
    return series.withValues(values);
  }

  /** The same time without anything. */
  public static Series nothing(Series series) {
    return series.withValues(new double[series.size()]);
  }

  /** A limit of a rule for one caller. */
  public static LimitKey limit(double perSecond) {
    return new LimitKey("payments", rule("checkout", perSecond, Map.of()), "");
  }

  /** A rule of this name for the caller of this name. */
  public static Rule rule(String name, double perSecond, Map<String, Rate> limitsAt) {
    return new Rule(
        name,
        NamePattern.of(name),
        NamePattern.any(),
        false,
        false,
        Rate.perSecond(perSecond),
        limitsAt,
        Scope.GLOBAL,
        Behavior.DENY);
  }

  /** The rules of one service. */
  public static RuleSet rules(Rule... rules) {
    return RuleSet.of(1, List.of(new ServiceRules("payments", List.of(rules))));
  }
}
