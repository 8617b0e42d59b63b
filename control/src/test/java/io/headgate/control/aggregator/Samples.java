package io.headgate.control.aggregator;

import io.headgate.core.rule.Behavior;
import io.headgate.core.rule.NamePattern;
import io.headgate.core.rule.Rate;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.RuleSet;
import io.headgate.core.rule.Scope;
import io.headgate.core.rule.ServiceRules;
import io.headgate.protocol.v1.BucketDefinition;
import io.headgate.protocol.v1.Report;
import java.util.List;
import java.util.Map;

/** Rules and reports for the tests. */
final class Samples {

  static final long SECOND_NANOS = 1_000_000_000L;

  private Samples() {}

  /** The service {@code payments} with the rules {@code all} and {@code each}, per caller. */
  static RuleSet payments(long version) {
    return RuleSet.of(
        version,
        List.of(
            new ServiceRules(
                "payments", List.of(rule("all", 1000, false), rule("each", 50, true)))));
  }

  static RuleSet paymentsWithLimit(long version, double limit) {
    return RuleSet.of(
        version, List.of(new ServiceRules("payments", List.of(rule("all", limit, false)))));
  }

  static Rule rule(String name, double limit, boolean perCaller) {
    return new Rule(
        name,
        NamePattern.any(),
        NamePattern.any(),
        perCaller,
        false,
        Rate.perSecond(limit),
        Map.of(),
        Scope.GLOBAL,
        Behavior.DENY);
  }

  static BucketDefinition bucket(int id, String rule, String caller) {
    return BucketDefinition.newBuilder()
        .setId(id)
        .setService("payments")
        .setRule(rule)
        .setCaller(caller)
        .build();
  }

  /** A report over one second. */
  static Report.Builder report(long sequence) {
    return Report.newBuilder().setSequence(sequence).setElapsedNanos(SECOND_NANOS);
  }

  /** A report over one second that defines the bucket of the rule {@code all} as 1. */
  static Report.Builder firstReport(long offered) {
    return report(1).addDefine(bucket(1, "all", "")).addBucket(1).addOffered(offered);
  }
}
