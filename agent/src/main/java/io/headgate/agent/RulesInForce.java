package io.headgate.agent;

import io.headgate.core.rule.Behavior;
import io.headgate.core.rule.BucketKey;
import io.headgate.core.rule.Location;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.ServiceRules;
import java.time.Duration;
import java.util.List;

/** The rules of one service with what gates need of them. Immutable. */
final class RulesInForce {

  /**
   * A rule and what a request gets that it drops.
   *
   * @param dropVerdict {@link Verdict#ADMITTED} in shadow
   */
  record Entry(Rule rule, Verdict dropVerdict) {}

  private final ServiceRules rules;
  private final List<Entry> entries;
  private final boolean guarded;
  private final ClosestPattern callers;
  private final ClosestPattern procedures;

  RulesInForce(ServiceRules rules, Location location, Duration retryAfter) {
    this.rules = rules;
    entries =
        rules.rules().stream()
            .map(rule -> new Entry(rule, dropVerdict(rules.service(), rule, location, retryAfter)))
            .toList();
    guarded = rules.rules().stream().anyMatch(rule -> rule.options().isGuarded());
    callers = new ClosestPattern(rules.rules().stream().map(Rule::caller).toList());
    procedures = new ClosestPattern(rules.rules().stream().map(Rule::procedure).toList());
  }

  private static Verdict dropVerdict(
      String service, Rule rule, Location location, Duration retryAfter) {
    return rule.behavior() == Behavior.ALLOW
        ? Verdict.ADMITTED
        : new Verdict(false, service, rule.name(), rule.limit(location), retryAfter);
  }

  ServiceRules rules() {
    return rules;
  }

  /** Whether any of the rules has a surge guard. */
  boolean isGuarded() {
    return guarded;
  }

  /** In {@linkplain Rule#JUDGING_ORDER judging order}. */
  List<Entry> entries() {
    return entries;
  }

  /** The pattern that stands for a caller beyond the bound. */
  String callerClass(String caller) {
    return callers.of(caller);
  }

  /** The pattern that stands for a procedure beyond the bound. */
  String procedureClass(String procedure) {
    return procedures.of(procedure);
  }

  /** The bucket in which the calls of a bucket's caller and procedure count beyond the bound. */
  BucketKey sharedKey(BucketKey key) {
    return new BucketKey(
        key.service(),
        key.rule(),
        key.caller().isEmpty() ? "" : callerClass(key.caller()),
        key.procedure().isEmpty() ? "" : procedureClass(key.procedure()));
  }

  /** Whether a bucket is of a caller or procedure that no rule names: the traffic made it. */
  boolean isOfSingleName(BucketKey key) {
    return !key.equals(sharedKey(key));
  }
}
