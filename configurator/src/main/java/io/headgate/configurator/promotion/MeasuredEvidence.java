package io.headgate.configurator.promotion;

import io.headgate.configurator.guard.PromotionSettings;
import io.headgate.configurator.history.Cleaning;
import io.headgate.configurator.plan.ConfiguratorConfig;
import io.headgate.configurator.series.LimitKey;
import io.headgate.configurator.series.Series;
import io.headgate.configurator.series.TimeRange;
import io.headgate.configurator.source.Measure;
import io.headgate.configurator.source.MetricQuery;
import io.headgate.configurator.source.SourceException;
import io.headgate.control.rules.Trial;
import io.headgate.core.rule.Rate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Evidence from the rates of the past. Safe for use by several threads. */
final class MeasuredEvidence implements Evidence {

  /** More than this many times the greatest rate of the trial is a surge. */
  private static final double SURGE = 1.3;

  /** After a shorter time, a few calls would decide. */
  private static final Duration LEAST_JUDGED = Duration.ofMinutes(5);

  /** If nobody looked for longer, the latest time says enough. */
  private static final Duration LONGEST_SOAK = Duration.ofDays(7);

  /** In so many times the days of a trial, there are enough outside of the calendar's windows. */
  private static final int MOST_MASKED = 5;

  private final ConfiguratorConfig config;
  private final long nowSecond;
  private final Cleaning cleaning;

  MeasuredEvidence(ConfiguratorConfig config, Instant now) {
    this.config = config;
    nowSecond = now.getEpochSecond();
    cleaning = new Cleaning(config.calendar(), true);
  }

  @Override
  public ShadowEvidence inShadow(RuleOnTrial rule, PromotionSettings settings)
      throws SourceException, InterruptedException {
    LimitKey judged = new LimitKey(rule.service(), rule.shadow(), "");
    Duration window = Duration.ofSeconds(Math.round(settings.days() * Series.DAY));
    Trial trial = begun(rule);
    double days = settings.days(); // that is over when it is enforced somewhere
    Instant since = trial.since().minus(window);
    if (trial.stage() == Trial.Stage.SHADOW) {
      since = trial.since();
      days = unmaskedDays(rule.key(""), range(since, window.multipliedBy(MOST_MASKED)));
    }
    TimeRange range = range(since, window.isZero() ? LONGEST_SOAK : window);
    if (range.seconds() == 0) {
      return new ShadowEvidence(days, Double.NaN, 0, 0);
    }
    Series offered = cleaning.outsideWindows(rule.key(""), read(judged, Measure.OFFERED, range));
    Series wouldDrop = read(judged, Measure.WOULD_DROP, range);
    boolean[] masked = masked(rule.key(""), range);
    double calls = 0;
    double dropped = 0;
    double peak = 0;
    int known = 0;
    int outside = 0;
    for (int i = 0; i < offered.size(); i++) {
      outside += masked[i] ? 0 : 1;
      if (isKnown(offered.at(i), wouldDrop.at(i))) {
        known++;
        calls += offered.at(i);
        dropped += offered.at(i) == 0 ? 0 : wouldDrop.at(i);
        peak = Math.max(peak, offered.at(i));
      }
    }
    return new ShadowEvidence(
        days,
        calls == 0 ? Double.NaN : dropped / calls,
        peak,
        outside == 0 ? 0 : (double) known / outside);
  }

  /** Where nothing is known of drops, no drops are proven; unless there were no calls. */
  private static boolean isKnown(double offered, double dropped) {
    return offered == 0 || !Double.isNaN(offered) && !Double.isNaN(dropped);
  }

  @Override
  public SoakEvidence enforced(RuleOnTrial rule, PromotionSettings settings)
      throws SourceException, InterruptedException {
    List<String> places = begun(rule).places();
    if (places.isEmpty()) {
      return enforced(rule, rule.key(""), settings);
    }
    SoakEvidence all = enforced(rule, rule.key(places.get(0)), settings);
    for (String place : places.subList(1, places.size())) {
      all = all.and(enforced(rule, rule.key(place), settings));
    }
    return all;
  }

  private SoakEvidence enforced(RuleOnTrial rule, LimitKey limit, PromotionSettings settings)
      throws SourceException, InterruptedException {
    Duration longest = settings.soak().compareTo(LONGEST_SOAK) > 0 ? settings.soak() : LONGEST_SOAK;
    TimeRange range = range(begun(rule).since(), longest);
    if (range.seconds() == 0) {
      return SoakEvidence.NONE;
    }
    Series offered = cleaning.outsideWindows(limit, read(limit, Measure.OFFERED, range));
    Series dropped = read(limit, Measure.DROPPED, range);
    double usual = usual(rule);
    int size = offered.size();
    double[] calls = new double[size + 1]; // up to each step
    double[] drops = new double[size + 1];
    int judged = 0;
    for (int i = 0; i < size; i++) {
      boolean counts = isKnown(offered.at(i), dropped.at(i)) && offered.at(i) <= usual;
      judged += counts ? 1 : 0;
      boolean any = counts && offered.at(i) > 0;
      calls[i + 1] = calls[i] + (any ? offered.at(i) : 0);
      drops[i + 1] = drops[i] + (any ? dropped.at(i) : 0);
    }
    double seconds = (double) judged * config.stepSeconds();
    long least = Math.min(LEAST_JUDGED.toSeconds(), settings.soak().toSeconds());
    return new SoakEvidence(
        seconds, seconds < least ? 0 : greatestShare(calls, drops, stepsOf(settings.soak())));
  }

  private static double usual(RuleOnTrial rule) {
    Rate peak = begun(rule).peak();
    return peak == null ? Double.POSITIVE_INFINITY : SURGE * peak.perSecond();
  }

  private static double greatestShare(double[] calls, double[] drops, int stretch) {
    double greatest = 0;
    for (int to = 1; to < calls.length; to++) {
      int from = Math.max(0, to - stretch);
      // A stretch that is cut off at the beginning is judged only if there is no whole one.
      if (to >= stretch || to == calls.length - 1) {
        double offered = calls[to] - calls[from];
        greatest = offered > 0 ? Math.max(greatest, (drops[to] - drops[from]) / offered) : greatest;
      }
    }
    return greatest;
  }

  private int stepsOf(Duration duration) {
    long step = config.stepSeconds();
    return Math.toIntExact(Math.max(1, (duration.toSeconds() + step - 1) / step));
  }

  private static Trial begun(RuleOnTrial rule) {
    Trial trial = rule.trial();
    if (trial == null) {
      throw new IllegalArgumentException(rule.key("") + ": no trial has begun");
    }
    return trial;
  }

  /** The whole steps since a moment, of a time of this length at most. */
  private TimeRange range(Instant since, Duration longest) {
    long step = config.stepSeconds();
    long to = nowSecond - nowSecond % step;
    long from = (since.getEpochSecond() + step - 1) / step * step;
    long length = longest.toSeconds() - longest.toSeconds() % step;
    return new TimeRange(Math.min(to, Math.max(from, to - length)), to);
  }

  private double unmaskedDays(LimitKey limit, TimeRange range) {
    boolean[] masked = masked(limit, range);
    long unmasked = 0;
    for (boolean each : masked) {
      unmasked += each ? 0 : 1;
    }
    return (double) unmasked * config.stepSeconds() / Series.DAY;
  }

  private boolean[] masked(LimitKey limit, TimeRange range) {
    int steps = Math.toIntExact(range.seconds() / config.stepSeconds());
    Series all =
        cleaning.outsideWindows(
            limit, Series.of(range.fromSecond(), config.stepSeconds(), new double[steps]));
    boolean[] masked = new boolean[steps];
    for (int i = 0; i < steps; i++) {
      masked[i] = Double.isNaN(all.at(i));
    }
    return masked;
  }

  private Series read(LimitKey limit, Measure measure, TimeRange range)
      throws SourceException, InterruptedException {
    return config.source().read(new MetricQuery(limit, measure, range, config.stepSeconds()));
  }
}
