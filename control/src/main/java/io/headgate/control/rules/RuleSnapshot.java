package io.headgate.control.rules;

import io.headgate.control.status.FileProblem;
import io.headgate.core.rule.RuleSet;
import java.util.List;

/**
 * What a store holds at one moment.
 *
 * @param rules the rules in force
 * @param problems what is wrong in the store; where rules are affected, their last good form is in
 *     force
 */
public record RuleSnapshot(RuleSet rules, List<FileProblem> problems) {

  public RuleSnapshot {
    problems = List.copyOf(problems);
  }
}
