package io.headgate.benchmarks.loop;

import io.headgate.core.rule.Behavior;
import io.headgate.core.rule.Location;
import io.headgate.core.rule.NamePattern;
import io.headgate.core.rule.Rate;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.Scope;
import io.headgate.core.rule.ServiceRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What the fleet looks like: 2,000 agents with 20 buckets each, every one of which is asked ten
 * times a second. All agents share the same buckets, half of them at twice their limit and half
 * under it. Probes have one of their own in place of the last.
 */
final class Shape {

  static final int AGENTS = 2000;
  static final int BUCKETS = 20;

  /** Agents with a bucket of their own. */
  static final int PROBES = 200;

  static final double CALLS_PER_SECOND = 10;

  static final String SERVICE = "load";
  static final Location LOCATION = new Location("local", "local-1");

  static final String PROBE_RULE = "probe";
  static final String PROBE_CALLER = "probe-";
  static final String PROBE_PROCEDURE = "load.v1.Load/Probe";

  static final double PROBE_LOW_PER_SECOND = 25;
  static final double PROBE_LIMIT_PER_SECOND = 50;

  /** A report of more than this is a report of high demand. */
  static final double PROBE_TURN_PER_SECOND = 80;

  static final double PROBE_HIGH_PER_SECOND = 250;

  private Shape() {}

  /** The procedure that is counted in a bucket, from 0. */
  static String procedure(int bucket) {
    return String.format(Locale.ROOT, "load.v1.Load/Call%02d", bucket);
  }

  /** The rules that make these buckets. */
  static ServiceRules rules() {
    double demandPerSecond = AGENTS * CALLS_PER_SECOND;
    List<Rule> rules = new ArrayList<>();
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      double limitPerSecond = bucket % 2 == 0 ? demandPerSecond / 2 : demandPerSecond * 2;
      rules.add(
          rule("call-" + bucket, NamePattern.any(), procedure(bucket), false, limitPerSecond));
    }
    rules.add(
        rule(
            PROBE_RULE,
            NamePattern.of(PROBE_CALLER + "*"),
            PROBE_PROCEDURE,
            true,
            PROBE_LIMIT_PER_SECOND));
    return new ServiceRules(SERVICE, rules);
  }

  private static Rule rule(
      String name, NamePattern caller, String procedure, boolean perCaller, double limitPerSecond) {
    return new Rule(
        name,
        caller,
        NamePattern.of(procedure),
        perCaller,
        false,
        Rate.perSecond(limitPerSecond),
        Map.of(),
        Scope.GLOBAL,
        Behavior.DENY);
  }
}
