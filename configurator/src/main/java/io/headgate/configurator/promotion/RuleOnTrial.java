package io.headgate.configurator.promotion;

import io.headgate.configurator.series.LimitKey;
import io.headgate.control.rules.Trial;
import io.headgate.control.rules.repository.RuleEdit;
import io.headgate.core.rule.Behavior;
import io.headgate.core.rule.Rate;
import io.headgate.core.rule.Rule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rule and what is on trial of it.
 *
 * @param service whose rule it is
 * @param rule the rule
 * @param candidate another limit of it that is judged in shadow; null if there is none
 * @param trial how far a trial has come; null if none has begun
 */
record RuleOnTrial(String service, Rule rule, @Nullable Rate candidate, @Nullable Trial trial) {

  /** The limit on trial: its candidate, or its own if that is not enforced; null for none. */
  @Nullable Rate limitOnTrial() {
    if (candidate != null) {
      return candidate;
    }
    return isEnforced() ? null : rule.limit();
  }

  /** Whether it drops calls by now. */
  boolean isEnforced() {
    return rule.behavior() == Behavior.DENY;
  }

  /** The rule that judges calls by the limit on trial, in shadow. */
  Rule shadow() {
    return candidate == null ? rule : rule.candidate(candidate);
  }

  /** The limit of a place, or its own. */
  LimitKey key(String place) {
    return new LimitKey(service, rule, place);
  }

  RuleEdit setLimit(Rate limit) {
    return new RuleEdit.SetLimit(service, rule.name(), limit);
  }

  RuleEdit setLimitAt(String place, @Nullable Rate limit) {
    return new RuleEdit.SetLimitAt(service, rule.name(), place, limit);
  }

  RuleEdit setCandidate(@Nullable Rate limit) {
    return new RuleEdit.SetCandidate(service, rule.name(), limit);
  }

  RuleEdit setBehavior(Behavior behavior) {
    return new RuleEdit.SetBehavior(service, rule.name(), behavior);
  }

  RuleEdit setTrial(@Nullable Trial trial) {
    return new RuleEdit.SetTrial(service, rule.name(), trial);
  }

  PromotionDecision decision(Step step, String reason, double share, List<RuleEdit> edits) {
    return new PromotionDecision(
        service,
        rule.name(),
        rule.limit(),
        rule.behavior(),
        candidate,
        trial,
        share,
        step,
        reason,
        edits);
  }
}
