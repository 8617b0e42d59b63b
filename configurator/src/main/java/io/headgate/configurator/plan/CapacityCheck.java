package io.headgate.configurator.plan;

import io.headgate.configurator.guard.Capacity;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.RuleSet;
import io.headgate.core.rule.Scope;
import io.headgate.core.rule.ServiceRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Holds the sum of the callers' limits against what a service can bear. Where it is too much after
 * a run, no limit of that service rises in it.
 */
final class CapacityCheck {

  private CapacityCheck() {}

  static ChangeSet check(ChangeSet changes, RuleSet rules, Map<String, Capacity> capacities) {
    Map<String, ServiceRules> after = new HashMap<>(rules.services());
    changes.applyTo(rules).forEach(service -> after.put(service.service(), service));
    List<Commitment> commitments = new ArrayList<>();
    Set<String> exceeded = new HashSet<>();
    for (var entry : new TreeMap<>(capacities).entrySet()) {
      ServiceRules service = after.get(entry.getKey());
      if (service != null) {
        Capacity capacity = entry.getValue();
        double sum = sumOfCallers(service);
        boolean tooMuch = capacity.isExceededBy(sum);
        if (tooMuch) {
          exceeded.add(entry.getKey());
        }
        commitments.add(
            new Commitment(
                entry.getKey(), sum, capacity.perSecond(), capacity.overcommit(sum), tooMuch));
      }
    }
    List<LimitDecision> decisions = new ArrayList<>();
    for (LimitDecision decision : changes.decisions()) {
      boolean rises = decision.after().perSecond() > decision.before().perSecond();
      decisions.add(
          rises && exceeded.contains(decision.service())
              ? decision.heldBack(reason(decision.service(), capacities, commitments))
              : decision);
    }
    return new ChangeSet(changes.at(), changes.rulesDigest(), decisions, commitments);
  }

  private static String reason(
      String service, Map<String, Capacity> capacities, List<Commitment> commitments) {
    for (Commitment commitment : commitments) {
      Capacity capacity = capacities.get(service);
      if (commitment.service().equals(service) && capacity != null) {
        return String.format(
            Locale.ROOT,
            "no rise, since the callers' limits would be %.2f times the capacity (expected: %.2f at"
                + " most)",
            commitment.overcommit(),
            capacity.maxOvercommit());
      }
    }
    return "no rise";
  }

  /**
   * What the callers with global limits of their own may ask for together. Of a caller with one for
   * all procedures that counts, else the sum of those for its procedures.
   */
  private static double sumOfCallers(ServiceRules service) {
    Map<String, Double> forAll = new TreeMap<>();
    Map<String, Double> byProcedure = new TreeMap<>();
    for (Rule rule : service.rules()) {
      boolean counts =
          !rule.caller().isAny()
              && !rule.perCaller()
              && !rule.perProcedure()
              && rule.scope() == Scope.GLOBAL;
      if (counts) {
        double limit = total(rule);
        String caller = rule.caller().toString();
        if (rule.procedure().isAny()) {
          forAll.merge(caller, limit, Math::min);
        } else {
          byProcedure.merge(caller, limit, Double::sum);
        }
      }
    }
    byProcedure.forEach(forAll::putIfAbsent);
    return forAll.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  /** Regions with limits of their own count apart from the rest. */
  private static double total(Rule rule) {
    double total = rule.limit().perSecond();
    for (var at : new TreeMap<>(rule.limitsAt()).entrySet()) {
      total += at.getValue().perSecond();
    }
    return total;
  }
}
