package io.headgate.control.aggregator;

import io.headgate.core.rule.RuleSet;

/**
 * The rules that are handed down. Rules of an older version take over only when the newer ones have
 * had no source for a while, so that a controller that lags behind does not undo a change.
 */
final class RulesInForce {

  private final long ttlNanos;
  private RuleSet rules = RuleSet.NONE;
  private long sourceHeardNanos;

  /**
   * No rules.
   *
   * @param ttlNanos how long their source must be silent before older rules replace those in force
   */
  RulesInForce(long ttlNanos) {
    this.ttlNanos = ttlNanos;
  }

  RuleSet get() {
    return rules;
  }

  /** Whether a controller has named any; an empty set is known too. */
  boolean isKnown() {
    return rules.version() > 0;
  }

  /** A controller that has these rules was heard. */
  void heard(RuleSet others, long nowNanos) {
    if (isEqual(others)) {
      sourceHeardNanos = nowNanos;
    }
  }

  /** Whether these are the rules in force, under whatever version. */
  boolean isEqual(RuleSet others) {
    return others.digest().equals(rules.digest());
  }

  /**
   * Takes the rules of the controller that is followed, if they are not older than those in force
   * or those have no source any more.
   *
   * @return whether other rules are in force now
   */
  boolean take(RuleSet others, long nowNanos) {
    if (others.version() == 0) {
      return false;
    }
    if (isKnown() && isEqual(others)) {
      // The higher version stays: directives of either are for these rules.
      if (others.version() > rules.version()) {
        rules = rules.withVersion(others.version());
      }
      return false;
    }
    boolean older = others.version() < rules.version();
    if (older && nowNanos - sourceHeardNanos < ttlNanos) {
      return false;
    }
    rules = others;
    sourceHeardNanos = nowNanos;
    return true;
  }
}
