package io.headgate.core.rule;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The limits of one service.
 *
 * @param service the service's name
 * @param rules its rules, in {@linkplain Rule#JUDGING_ORDER judging order}; their names are unique
 */
public record ServiceRules(String service, List<Rule> rules) {

  /**
   * @throws IllegalArgumentException if the service's name is not an {@link Identifier} or two
   *     rules have the same name
   */
  public ServiceRules {
    Identifier.require("service", service);
    Set<String> names = new HashSet<>();
    for (Rule rule : rules) {
      if (!names.add(rule.name())) {
        throw new IllegalArgumentException("rule: '" + rule.name() + "' is there twice");
      }
    }
    rules = rules.stream().sorted(Rule.JUDGING_ORDER).toList();
  }
}
