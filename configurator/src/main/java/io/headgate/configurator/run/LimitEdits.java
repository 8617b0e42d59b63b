package io.headgate.configurator.run;

import io.headgate.configurator.plan.ChangeSet;
import io.headgate.configurator.plan.ConfiguratorConfig;
import io.headgate.configurator.plan.LimitDecision;
import io.headgate.configurator.promotion.Candidates;
import io.headgate.control.rules.repository.RuleChange;
import io.headgate.control.rules.repository.RuleEdit;
import io.headgate.control.rules.repository.RuleFiles;
import java.util.ArrayList;
import java.util.List;

/** What of a change set is written to the rules. */
public final class LimitEdits {

  private LimitEdits() {}

  /**
   * The edits of the rules, with the reasons for them.
   *
   * @param base the rules for which the limits were computed
   * @param enforce whether limits are written, and the candidates of these rules go; if not,
   *     candidates are, which limits of single regions and zones do not have
   * @param author who is named as the author
   */
  public static RuleChange of(
      ChangeSet changes,
      RuleFiles base,
      ConfiguratorConfig config,
      boolean enforce,
      String author) {
    List<RuleEdit> edits = enforce ? limits(changes) : Candidates.edits(changes, base, config);
    StringBuilder reasons = new StringBuilder();
    for (LimitDecision each : changes.changes()) {
      if (enforce || each.place().isEmpty()) {
        reasons.append(each.line()).append('\n');
      }
    }
    String summary = enforce ? "Limits by headgate: " : "Candidates for limits by headgate: ";
    return new RuleChange(edits, author, summary + changes.summary() + "\n\n" + reasons);
  }

  private static List<RuleEdit> limits(ChangeSet changes) {
    List<RuleEdit> edits = new ArrayList<>();
    for (LimitDecision each : changes.changes()) {
      if (each.place().isEmpty()) {
        edits.add(new RuleEdit.SetLimit(each.service(), each.rule(), each.after()));
        edits.add(new RuleEdit.SetCandidate(each.service(), each.rule(), null));
      } else {
        edits.add(new RuleEdit.SetLimitAt(each.service(), each.rule(), each.place(), each.after()));
      }
    }
    return edits;
  }
}
