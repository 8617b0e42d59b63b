package io.headgate.configurator.promotion;

import io.headgate.control.rules.repository.RuleChange;
import io.headgate.control.rules.repository.RuleEdit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a run comes to. Equal rules, rates and configuration at the same moment give an equal one.
 *
 * @param decisions one for each rule that the configuration is about, in the order of services and
 *     rules; rules that are not there yet come first
 */
public record Promotions(List<PromotionDecision> decisions) {

  public Promotions {
    decisions = List.copyOf(decisions);
  }

  /** Whether the rules change. */
  public boolean isChange() {
    return !steps().isEmpty();
  }

  /** The decisions that change something. */
  public List<PromotionDecision> steps() {
    return decisions.stream().filter(decision -> !decision.edits().isEmpty()).toList();
  }

  /**
   * What is to be written, in one piece, to the rules for which this was decided.
   *
   * @param author who is named as the author
   */
  public RuleChange change(String author) {
    List<RuleEdit> edits = new ArrayList<>();
    StringBuilder reasons = new StringBuilder();
    for (PromotionDecision decision : steps()) {
      edits.addAll(decision.edits());
      reasons.append(decision.line()).append('\n');
    }
    return new RuleChange(edits, author, "Limits on trial: " + summary() + "\n\n" + reasons);
  }

  /** A line that counts. */
  public String summary() {
    return String.format(
        Locale.ROOT,
        "%,d promoted, %,d stepped back, %,d begin, %,d over, %,d wait",
        count(Step.PROMOTE),
        count(Step.STEP_BACK),
        count(Step.CREATE) + count(Step.START),
        count(Step.FINISH) + count(Step.FORGET),
        count(Step.WAIT));
  }

  /** How many decisions there are of a kind. */
  public long count(Step step) {
    return decisions.stream().filter(decision -> decision.step() == step).count();
  }
}
