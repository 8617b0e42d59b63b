package io.headgate.configurator.run;

import io.headgate.configurator.plan.ChangeSet;
import io.headgate.configurator.plan.LimitDecision;
import io.headgate.control.rules.repository.RuleChange;
import io.headgate.control.rules.repository.RuleEdit;
import java.util.ArrayList;
import java.util.List;

/** What of a change set is written to the rules. */
public final class LimitEdits {

  private LimitEdits() {}

  /**
   * The edits of the rules, with the reasons for them.
   *
   * @param enforce whether limits are written, and the candidates of these rules go; if not,
   *     candidates are, which limits of single regions and zones do not have
   * @param author who is named as the author
   */
  public static RuleChange of(ChangeSet changes, boolean enforce, String author) {
    List<RuleEdit> edits = new ArrayList<>();
    StringBuilder reasons = new StringBuilder();
    for (LimitDecision each : changes.changes()) {
      if (!each.place().isEmpty()) {
        if (!enforce) {
          continue;
        }
        edits.add(new RuleEdit.SetLimitAt(each.service(), each.rule(), each.place(), each.after()));
      } else if (enforce) {
        edits.add(new RuleEdit.SetLimit(each.service(), each.rule(), each.after()));
        edits.add(new RuleEdit.SetCandidate(each.service(), each.rule(), null));
      } else {
        edits.add(new RuleEdit.SetCandidate(each.service(), each.rule(), each.after()));
      }
      reasons.append(each.line()).append('\n');
    }
    String summary = enforce ? "Limits by headgate: " : "Candidates for limits by headgate: ";
    return new RuleChange(edits, author, summary + changes.summary() + "\n\n" + reasons);
  }
}
