package io.headgate.configurator.promotion;

import io.headgate.control.rules.Trial;
import io.headgate.control.rules.repository.RuleEdit;
import io.headgate.core.rule.Behavior;
import io.headgate.core.rule.Rate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run makes of one rule.
 *
 * @param service the service
 * @param rule its rule
 * @param limit its limit now
 * @param behavior what it does above that now
 * @param candidate another limit that is on trial; null if there is none
 * @param trial how far a trial has come before this run; null if there is none
 * @param wouldDropShare the share of the calls that the limit on trial would have dropped in
 *     shadow, 0 to 1; NaN if it is not known
 * @param step what is to be done
 * @param reason why, or what it waits for, for people
 * @param edits what that changes in the rules, in this order
 */
public record PromotionDecision(
    String service,
    String rule,
    Rate limit,
    Behavior behavior,
    @Nullable Rate candidate,
    @Nullable Trial trial,
    double wouldDropShare,
    Step step,
    String reason,
    List<RuleEdit> edits) {

  public PromotionDecision {
    edits = List.copyOf(edits);
  }

  /** The service and its rule, for people. */
  public String name() {
    return service + "/" + rule;
  }

  /** A line that says what becomes of which rule, and why. */
  public String line() {
    return name() + ": " + reason;
  }
}
