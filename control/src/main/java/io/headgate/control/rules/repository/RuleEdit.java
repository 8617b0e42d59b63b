package io.headgate.control.rules.repository;

import io.headgate.control.rules.Trial;
import io.headgate.core.rule.Behavior;
import io.headgate.core.rule.Rate;
import io.headgate.core.rule.Rule;
import org.jspecify.annotations.Nullable;

/** One thing to change. */
public sealed interface RuleEdit {

  /** The service whose rules change. */
  String service();

  /** The name of the rule that changes. */
  String rule();

  /** Another limit. */
  record SetLimit(String service, String rule, Rate limit) implements RuleEdit {}

  /** Another limit for a region or zone, which may have had none of its own; null for none. */
  record SetLimitAt(String service, String rule, String place, @Nullable Rate limit)
      implements RuleEdit {}

  /** Another {@linkplain Rule#candidate candidate}; null for none. */
  record SetCandidate(String service, String rule, @Nullable Rate candidate) implements RuleEdit {}

  /** Another note on how far a limit on trial has come; null for none. */
  record SetTrial(String service, String rule, @Nullable Trial trial) implements RuleEdit {}

  /** Enforced or not. */
  record SetBehavior(String service, String rule, Behavior behavior) implements RuleEdit {}

  /** A rule that is not there yet. */
  record Add(String service, Rule added) implements RuleEdit {
    @Override
    public String rule() {
      return added.name();
    }
  }
}
