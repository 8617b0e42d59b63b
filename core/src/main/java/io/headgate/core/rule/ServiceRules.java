package io.headgate.core.rule;

import java.util.List;

/**
 * The limits of one service.
 *
 * @param service the service's name
 * @param rules its rules, in {@linkplain Rule#JUDGING_ORDER judging order}; their names are unique
 */
public record ServiceRules(String service, List<Rule> rules) {

  public ServiceRules {
    rules = rules.stream().sorted(Rule.JUDGING_ORDER).toList();
  }
}
