package io.headgate.agent.call;

import io.headgate.core.rule.Behavior;
import io.headgate.core.rule.NamePattern;
import io.headgate.core.rule.Rate;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.Scope;
import java.util.Map;

/** Rules for tests: 200/s, everywhere together, enforced. */
public final class TestRules {

  private TestRules() {}

  /** A rule on a caller and a procedure. */
  public static Rule rule(String name, String caller, String procedure) {
    return new Rule(
        name,
        NamePattern.of(caller),
        NamePattern.of(procedure),
        false,
        false,
        Rate.parse("200/s"),
        Map.of(),
        Scope.GLOBAL,
        Behavior.DENY);
  }
}
