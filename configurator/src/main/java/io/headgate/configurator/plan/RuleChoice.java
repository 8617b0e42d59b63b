package io.headgate.configurator.plan;

import io.headgate.configurator.guard.GuardSettings;
import io.headgate.configurator.guard.PromotionSettings;
import io.headgate.configurator.policy.LimitPolicy;
import io.headgate.configurator.series.LimitKey;
import io.headgate.core.rule.NamePattern;

/**
 * How the limits of some rules are computed.
 *
 * @param service of which services
 * @param rule which of their rules
 * @param caller for which callers: compared with the rule's own pattern as it is written
 * @param procedure for which procedures, likewise
 * @param policy how
 * @param guards how far that is trusted
 * @param failoverFactor by how much the limit of a region or zone is more than its own traffic
 *     needs, so that it can take over that of another; 1 if it need not
 * @param promotion what they must have shown in shadow before they are enforced
 */
public record RuleChoice(
    NamePattern service,
    NamePattern rule,
    NamePattern caller,
    NamePattern procedure,
    LimitPolicy policy,
    GuardSettings guards,
    double failoverFactor,
    PromotionSettings promotion) {

  /** With the usual settings of a promotion. */
  public RuleChoice(
      NamePattern service,
      NamePattern rule,
      NamePattern caller,
      NamePattern procedure,
      LimitPolicy policy,
      GuardSettings guards,
      double failoverFactor) {
    this(
        service,
        rule,
        caller,
        procedure,
        policy,
        guards,
        failoverFactor,
        PromotionSettings.DEFAULT);
  }

  boolean isAbout(LimitKey limit) {
    return service.matches(limit.service())
        && rule.matches(limit.rule().name())
        && caller.matches(limit.rule().caller().toString())
        && procedure.matches(limit.rule().procedure().toString());
  }
}
