package io.headgate.configurator.plan;

import io.headgate.configurator.guard.Guards;
import io.headgate.configurator.guard.Pin;
import io.headgate.configurator.guard.Verdict;
import io.headgate.configurator.history.Cleaning;
import io.headgate.configurator.history.History;
import io.headgate.configurator.plan.LimitDecision.Basis;
import io.headgate.configurator.policy.Estimate;
import io.headgate.configurator.policy.Outlook;
import io.headgate.configurator.series.LimitKey;
import io.headgate.configurator.series.Series;
import io.headgate.configurator.series.SeriesBuilder;
import io.headgate.configurator.series.TimeRange;
import io.headgate.configurator.source.Measure;
import io.headgate.configurator.source.MetricQuery;
import io.headgate.configurator.source.SourceException;
import io.headgate.core.rule.Rate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Computes single limits at one moment. Safe for use by several threads. */
final class LimitReview {

  private final ConfiguratorConfig config;
  private final Instant now;
  private final TimeRange past;
  private final Cleaning cleaning;

  LimitReview(ConfiguratorConfig config, Instant now) {
    this.config = config;
    this.now = now;
    long end = now.getEpochSecond() - now.getEpochSecond() % config.stepSeconds();
    past = new TimeRange(end - config.history().toSeconds(), end);
    cleaning = new Cleaning(config.calendar(), config.learnFromThrottled());
  }

  /** The decision on a limit, or null if nobody has asked for one. */
  @Nullable LimitDecision decide(LimitKey limit) throws SourceException, InterruptedException {
    Rate current = limit.current();
    for (Pin pin : config.pins()) {
      if (pin.holds(limit, now)) {
        return decision(
            limit, current, pin.verdict(current.perSecond()), Double.NaN, Basis.SET, "");
      }
    }
    RuleChoice choice = config.choice(limit);
    if (choice == null) {
      return null;
    }
    if (!choice.policy().needsHistory()) {
      return judged(limit, current, choice, unknown(limit));
    }
    boolean single = !limit.rule().perCaller() && !limit.rule().perProcedure();
    if (!single && !config.source().knowsSingleBuckets()) {
      return kept(
          limit,
          current,
          "the rule is per caller or procedure, and the source knows the sum of these only (expected:"
              + " a query for the greatest of them)");
    }
    if (current.perSecond() == 0) {
      return kept(limit, current, "nothing may pass, and it is for people to change that");
    }
    History history =
        cleaning.clean(limit, read(limit, Measure.OFFERED), read(limit, Measure.DROPPED));
    String refusal = new Guards(choice.guards()).refusal(history);
    return refusal == null
        ? judged(limit, current, choice, history)
        : kept(limit, current, refusal + "; kept");
  }

  private Series read(LimitKey limit, Measure measure)
      throws SourceException, InterruptedException {
    return config.source().read(new MetricQuery(limit, measure, past, config.stepSeconds()));
  }

  private History unknown(LimitKey limit) {
    Series nothing = new SeriesBuilder(past, config.stepSeconds()).build();
    return cleaning.clean(limit, nothing, nothing);
  }

  private LimitDecision judged(LimitKey limit, Rate current, RuleChoice choice, History history) {
    Guards guards = new Guards(choice.guards());
    Outlook outlook =
        new Outlook(past.toSecond(), config.runEvery().toSeconds(), current.perSecond());
    Estimate estimate = choice.policy().estimate(history, outlook);
    if (!estimate.agreed() && !limit.isGlobal()) {
      estimate = withFailover(estimate, choice.failoverFactor(), history);
    }
    Verdict verdict =
        guards.judge(
            estimate,
            history,
            current.perSecond(),
            config.calendar().peakAhead(limit, past.toSecond(), guards.secondsBeforePeak()));
    boolean learned = choice.policy().needsHistory();
    double dropped = learned ? history.droppedBy(verdict.perSecond()) : Double.NaN;
    Basis basis = history.coverage().masked() > 0 ? Basis.MASKED : Basis.WHOLE;
    String reason = estimate.reason();
    if (!history.notes().isEmpty()) {
      reason += ", " + String.join(", ", history.notes());
    }
    return decision(limit, current, verdict, dropped, learned ? basis : Basis.SET, reason);
  }

  /**
   * The region must be able to take over another one's calls, and what it has taken over before.
   */
  private static Estimate withFailover(Estimate estimate, double factor, History history) {
    double scaled = estimate.perSecond() * factor;
    String reason =
        factor == 1
            ? estimate.reason()
            : estimate.reason() + String.format(Locale.ROOT, ", x %.2f for a failover", factor);
    return history.failoverPeak() > scaled
        ? Estimate.learned(
            history.failoverPeak(),
            reason
                + String.format(
                    Locale.ROOT, ", less than the %,.0f/s of a failover", history.failoverPeak()))
        : Estimate.learned(scaled, reason);
  }

  private static LimitDecision kept(LimitKey limit, Rate current, String why) {
    return decision(
        limit, current, Verdict.keep(current.perSecond(), why), Double.NaN, Basis.NONE, "");
  }

  private static LimitDecision decision(
      LimitKey limit,
      Rate current,
      Verdict verdict,
      double falseDrops,
      Basis basis,
      String reason) {
    List<String> reasons = new ArrayList<>();
    if (!reason.isEmpty()) {
      reasons.add(reason);
    }
    reasons.addAll(verdict.reasons());
    return new LimitDecision(
        limit.service(),
        limit.rule().name(),
        limit.place(),
        current,
        Rate.perSecond(verdict.perSecond()),
        Rate.perSecond(verdict.wantedPerSecond()),
        verdict.needsApproval(),
        falseDrops,
        basis,
        String.join("; ", reasons));
  }
}
