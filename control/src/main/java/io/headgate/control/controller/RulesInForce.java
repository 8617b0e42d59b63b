package io.headgate.control.controller;

import io.headgate.control.status.FileProblem;
import io.headgate.core.rule.RuleSet;
import io.headgate.core.rule.ServiceRules;
import io.headgate.protocol.RuleMessages;
import io.headgate.protocol.v1.ZoneDirection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules that the store gave last, and what is wrong in its files. */
final class RulesInForce {

  private RuleSet rules = RuleSet.NONE;
  private List<FileProblem> problems = List.of();
  private @Nullable ZoneDirection message;

  /** Takes what the store gives; returns whether the rules are others than before. */
  boolean take(RuleSet next, List<FileProblem> nextProblems) {
    problems = nextProblems;
    boolean same =
        message != null
            && next.version() == rules.version()
            && next.digest().equals(rules.digest());
    if (!same) {
      rules = next;
      message = ZoneDirection.newBuilder().setRules(RuleMessages.all(next)).build();
    }
    return !same;
  }

  /** The rules as they are sent to aggregators; null before the store has given any. */
  @Nullable ZoneDirection message() {
    return message;
  }

  boolean isKnown() {
    return message != null;
  }

  long version() {
    return rules.version();
  }

  String digest() {
    return rules.digest();
  }

  /** How many rules there are, of all services. */
  int count() {
    int count = 0;
    for (ServiceRules service : rules.services().values()) {
      count += service.rules().size();
    }
    return count;
  }

  List<FileProblem> problems() {
    return problems;
  }
}
