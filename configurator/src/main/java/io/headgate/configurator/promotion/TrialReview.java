package io.headgate.configurator.promotion;

import static io.headgate.configurator.promotion.ShadowEvidence.percent;

import io.headgate.configurator.guard.PromotionSettings;
import io.headgate.configurator.source.SourceException;
import io.headgate.control.rules.Trial;
import io.headgate.control.rules.Trial.Stage;
import io.headgate.control.rules.repository.RuleEdit;
import io.headgate.core.rule.Behavior;
import io.headgate.core.rule.Rate;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Decides on single rules at one moment: one step at most. Safe for use by several threads. */
final class TrialReview {

  private final Evidence evidence;
  private final Instant now;

  TrialReview(Evidence evidence, Instant now) {
    this.evidence = evidence;
    this.now = now;
  }

  PromotionDecision decide(RuleOnTrial rule, PromotionSettings settings)
      throws SourceException, InterruptedException {
    Trial trial = rule.trial();
    if (trial == null) {
      return first(rule, settings);
    }
    if (trial.stage() == Stage.GLOBAL) {
      return everywhere(rule, trial, settings);
    }
    if (!trial.of().equals(rule.limitOnTrial())) {
      boolean byHand = rule.isEnforced() && rule.rule().limit().equals(trial.of());
      return another(
          rule,
          trial,
          (byHand ? "%s is enforced by hand" : "it is not %s any more").formatted(trial.of()));
    }
    return trial.stage() == Stage.SHADOW
        ? inShadow(rule, trial, settings)
        : inPlaces(rule, trial, settings);
  }

  private PromotionDecision first(RuleOnTrial rule, PromotionSettings settings) {
    Rate limit = rule.limitOnTrial();
    if (limit == null) {
      return decision(rule, Step.NONE, "");
    }
    if (!settings.automatic()) {
      return decision(rule, Step.NONE, "people: automatic is off");
    }
    return decision(rule, Step.START, "on trial: " + limit, rule.setTrial(Trial.start(limit, now)));
  }

  private PromotionDecision inShadow(RuleOnTrial rule, Trial trial, PromotionSettings settings)
      throws SourceException, InterruptedException {
    ShadowEvidence shown = evidence.inShadow(rule, settings);
    List<String> missing = shown.missing(trial.of(), settings);
    return missing.isEmpty()
        ? promote(rule, trial, settings, shown, shown.summary(trial.of()))
        : waiting(rule, missing, shown);
  }

  private static PromotionDecision waiting(
      RuleOnTrial rule, List<String> missing, ShadowEvidence shown) {
    return rule.decision(Step.WAIT, String.join("; ", missing), shown.wouldDropShare(), List.of());
  }

  private PromotionDecision inPlaces(RuleOnTrial rule, Trial trial, PromotionSettings settings)
      throws SourceException, InterruptedException {
    SoakEvidence soak = evidence.enforced(rule, settings);
    boolean formerIsWider = rule.rule().limit().perSecond() > trial.of().perSecond();
    if (formerIsWider && soak.dropShare() > settings.stepBackAt()) {
      List<RuleEdit> edits = takeBack(rule, trial, List.of());
      edits.add(rule.setTrial(Trial.start(trial.of(), now)));
      return rule.decision(
          Step.STEP_BACK,
          "back to %s in %s: %s"
              .formatted(
                  rule.rule().limit(),
                  String.join(", ", trial.places()),
                  dropped(soak, trial, settings)),
          Double.NaN,
          edits);
    }
    String left = left(soak, settings);
    if (left != null) {
      return decision(rule, Step.WAIT, left);
    }
    ShadowEvidence shown = evidence.inShadow(rule, settings);
    boolean nowhereElse = Double.isNaN(shown.wouldDropShare()); // these places have all the calls
    List<String> missing = nowhereElse ? List.of() : shown.missing(trial.of(), settings);
    return missing.isEmpty()
        ? promote(
            rule,
            trial,
            settings,
            shown,
            "dropped %s in %s"
                .formatted(percent(soak.dropShare()), String.join(", ", trial.places())))
        : waiting(rule, missing, shown);
  }

  private PromotionDecision promote(
      RuleOnTrial rule, Trial trial, PromotionSettings settings, ShadowEvidence shown, String why) {
    if (!settings.automatic()) {
      return waiting(rule, List.of("people: automatic is off"), shown);
    }
    StagePlan next = StagePlan.next(rule, settings, trial.stage());
    Rate limit = trial.of();
    List<RuleEdit> edits = takeBack(rule, trial, next.places());
    boolean everywhere = next.stage() == Stage.GLOBAL;
    if (everywhere) {
      if (rule.candidate() != null) {
        edits.add(rule.setLimit(limit));
        edits.add(rule.setCandidate(null));
      }
      if (!rule.isEnforced()) {
        edits.add(rule.setBehavior(Behavior.DENY));
      }
    }
    for (String place : next.places()) {
      edits.add(rule.setLimitAt(place, limit));
    }
    edits.add(
        rule.setTrial(
            new Trial(
                limit,
                now,
                next.stage(),
                next.places(),
                everywhere && rule.candidate() != null ? rule.rule().limit() : null,
                rule.rule().behavior(),
                trial.peak() == null ? peak(shown) : trial.peak())));
    return rule.decision(
        Step.PROMOTE,
        "%s -> %s, enforced %s: %s"
            .formatted(
                rule.isEnforced() ? rule.rule().limit() : rule.rule().limit() + " in shadow",
                limit,
                next.where(),
                why),
        shown.wouldDropShare(),
        edits);
  }

  /** Four digits, up: it is a bound, and people have to read it. */
  private static Rate peak(ShadowEvidence shown) {
    BigDecimal peak = BigDecimal.valueOf(shown.peakPerSecond());
    return Rate.perSecond(peak.round(new MathContext(4, RoundingMode.CEILING)).doubleValue());
  }

  private PromotionDecision everywhere(RuleOnTrial rule, Trial trial, PromotionSettings settings)
      throws SourceException, InterruptedException {
    if (!rule.isEnforced() || !rule.rule().limit().equals(trial.of())) {
      return another(rule, trial, "the limit is not %s any more".formatted(trial.of()));
    }
    SoakEvidence soak = evidence.enforced(rule, settings);
    if (isWider(trial) && soak.dropShare() > settings.stepBackAt()) {
      return stepBack(rule, trial, settings, soak);
    }
    String left = left(soak, settings);
    return left == null
        ? another(rule, trial, "%s stays".formatted(trial.of()))
        : decision(rule, Step.WAIT, left);
  }

  /** Whether the former limit drops less: else to go back to it would make things worse. */
  private static boolean isWider(Trial trial) {
    return trial.formerBehavior() == Behavior.ALLOW
        || trial.formerLimit() != null && trial.formerLimit().perSecond() > trial.of().perSecond();
  }

  /**
   * The candidate stays, in shadow: what it would drop shows whether it or the traffic is wrong.
   */
  private PromotionDecision stepBack(
      RuleOnTrial rule, Trial trial, PromotionSettings settings, SoakEvidence soak) {
    List<RuleEdit> edits = new ArrayList<>();
    Rate former = trial.formerLimit();
    Rate onTrial = rule.candidate() == null ? trial.of() : rule.candidate();
    if (former != null) {
      edits.add(rule.setLimit(former));
      edits.add(rule.setCandidate(onTrial));
    }
    if (trial.formerBehavior() == Behavior.ALLOW) {
      edits.add(rule.setBehavior(Behavior.ALLOW));
    }
    edits.add(rule.setTrial(Trial.start(onTrial, now)));
    return rule.decision(
        Step.STEP_BACK,
        "back to %s%s: %s"
            .formatted(
                former == null ? trial.of() : former,
                trial.formerBehavior() == Behavior.ALLOW ? " in shadow" : "",
                dropped(soak, trial, settings)),
        Double.NaN,
        edits);
  }

  private static String dropped(SoakEvidence soak, Trial trial, PromotionSettings settings) {
    return "%s dropped %s of the calls (expected: %s at most)"
        .formatted(trial.of(), percent(soak.dropShare()), percent(settings.stepBackAt()));
  }

  /** How long it has to stay at its stage, or null if it has been there for long enough. */
  private static @Nullable String left(SoakEvidence soak, PromotionSettings settings) {
    if (soak.seconds() > 0 && soak.seconds() >= settings.soak().toSeconds()) {
      return null;
    }
    return "soak %d of %d min".formatted((long) soak.seconds() / 60, settings.soak().toMinutes());
  }

  /** Ends a trial; what else is on trial, if anything, begins its own. */
  private PromotionDecision another(RuleOnTrial rule, Trial trial, String why) {
    List<RuleEdit> edits = takeBack(rule, trial, List.of());
    Rate limit = rule.limitOnTrial();
    edits.add(rule.setTrial(limit == null ? null : Trial.start(limit, now)));
    if (limit != null) {
      return rule.decision(Step.START, why + "; on trial: " + limit, Double.NaN, edits);
    }
    boolean stayed = rule.isEnforced() && rule.rule().limit().equals(trial.of());
    return rule.decision(stayed ? Step.FINISH : Step.FORGET, why, Double.NaN, edits);
  }

  /** Takes a limit on trial out of places where it is still what the trial has set there. */
  private static List<RuleEdit> takeBack(RuleOnTrial rule, Trial trial, List<String> but) {
    List<RuleEdit> edits = new ArrayList<>();
    for (String place : trial.places()) {
      boolean unchanged = Objects.equals(rule.rule().limitsAt().get(place), trial.of());
      if (unchanged && !but.contains(place)) {
        edits.add(rule.setLimitAt(place, null));
      }
    }
    return edits;
  }

  private static PromotionDecision decision(
      RuleOnTrial rule, Step step, String reason, RuleEdit... edits) {
    return rule.decision(step, reason, Double.NaN, List.of(edits));
  }
}
