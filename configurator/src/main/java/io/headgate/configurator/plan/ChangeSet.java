package io.headgate.configurator.plan;

import io.headgate.core.rule.Rate;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.RuleSet;
import io.headgate.core.rule.ServiceRules;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a run comes to. Equal rules, rates and configuration at the same moment give an equal one.
 *
 * @param at the moment for which limits were computed
 * @param rulesDigest the {@linkplain RuleSet#digest() digest} of the rules that it was computed for
 * @param decisions one for each limit that a policy or pin is about, in the order of services and
 *     rules
 * @param commitments of the services whose capacity is known, by name
 */
public record ChangeSet(
    Instant at, String rulesDigest, List<LimitDecision> decisions, List<Commitment> commitments) {

  public ChangeSet {
    decisions = List.copyOf(decisions);
    commitments = List.copyOf(commitments);
  }

  /** The limits that change. */
  public List<LimitDecision> changes() {
    return decisions.stream().filter(LimitDecision::isChange).toList();
  }

  /** A line that counts, for people. */
  public String summary() {
    long approvals = decisions.stream().filter(LimitDecision::needsApproval).count();
    return String.format(
        Locale.ROOT,
        "%,d of %,d limits change, %,d would go farther with approval",
        changes().size(),
        decisions.size(),
        approvals);
  }

  /**
   * The services that change, with their new limits, by name.
   *
   * @throws IllegalArgumentException if these are other rules than those it was computed for
   */
  public List<ServiceRules> applyTo(RuleSet rules) {
    if (!rules.digest().equals(rulesDigest)) {
      throw new IllegalArgumentException(
          "rules: %s (expected: %s, for which the changes were computed)"
              .formatted(rules.digest(), rulesDigest));
    }
    Map<String, Map<String, Rate>> limits = new HashMap<>();
    for (LimitDecision change : changes()) {
      limits
          .computeIfAbsent(change.service(), service -> new HashMap<>())
          .put(change.rule() + "|" + change.place(), change.after());
    }
    List<ServiceRules> changed = new ArrayList<>();
    for (var service : new TreeMap<>(rules.services()).entrySet()) {
      Map<String, Rate> ofService = limits.get(service.getKey());
      if (ofService != null) {
        List<Rule> withLimits =
            service.getValue().rules().stream().map(rule -> with(rule, ofService)).toList();
        changed.add(new ServiceRules(service.getKey(), withLimits));
      }
    }
    return changed;
  }

  private static Rule with(Rule rule, Map<String, Rate> limits) {
    Map<String, Rate> limitsAt = new HashMap<>(rule.limitsAt());
    // A name holds no '|'.
    limitsAt.replaceAll((place, rate) -> limits.getOrDefault(rule.name() + "|" + place, rate));
    return new Rule(
        rule.name(),
        rule.caller(),
        rule.procedure(),
        rule.perCaller(),
        rule.perProcedure(),
        limits.getOrDefault(rule.name() + "|", rule.limit()),
        limitsAt,
        rule.scope(),
        rule.behavior(),
        rule.options());
  }
}
