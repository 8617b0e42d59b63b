package io.headgate.configurator.plan;

import io.headgate.configurator.parameters.Parameters;
import io.headgate.core.rule.Behavior;
import io.headgate.core.rule.Identifier;
import io.headgate.core.rule.NamePattern;
import io.headgate.core.rule.Rate;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Rules that should be there: callers and procedures that have none yet get one in shadow. */
final class NewRules {

  private NewRules() {}

  /** What somebody has set: {@code limit}, and {@code for}, a list. */
  static List<NewRule> of(Parameters parameters) {
    double limit = parameters.rate("limit");
    List<NewRule> rules = new ArrayList<>();
    for (Parameters item : parameters.list("for")) {
      NewRule rule = rule(item, limit);
      if (rules.stream().anyMatch(other -> isSame(other, rule))) {
        item.problem("name", "rule '" + rule.rule().name() + "' is there twice");
      }
      rules.add(rule);
    }
    parameters.finish();
    return rules;
  }

  private static boolean isSame(NewRule one, NewRule other) {
    return one.service().equals(other.service()) && one.rule().name().equals(other.rule().name());
  }

  private static NewRule rule(Parameters item, double limit) {
    String service = item.text("service");
    NamePattern caller = item.pattern("caller");
    NamePattern procedure = item.pattern("procedure");
    String name = item.text("name", name(caller, procedure));
    require(item, "service", service);
    require(item, "name", name);
    Rate rate = Rate.perSecond(item.rate("limit", limit));
    item.finish();
    return new NewRule(
        service,
        new Rule(
            Identifier.isValid(name) ? name : "all",
            caller,
            procedure,
            false,
            false,
            rate,
            Map.of(),
            Scope.GLOBAL,
            Behavior.ALLOW));
  }

  private static void require(Parameters item, String key, String name) {
    if (!name.isEmpty() && !Identifier.isValid(name)) {
      item.problem(key, key + ": found '" + name + "' (expected: " + Identifier.EXPECTED + ")");
    }
  }

  /** A name that says whom the rule is about, in characters that are easy to type. */
  private static String name(NamePattern caller, NamePattern procedure) {
    List<String> parts = new ArrayList<>();
    for (NamePattern side : List.of(caller, procedure)) {
      if (!side.isAny()) {
        parts.add(side.toString().replace("*", "").replaceAll("[^A-Za-z0-9._-]+", "-"));
      }
    }
    return parts.isEmpty() ? "all" : String.join("-", parts);
  }
}
