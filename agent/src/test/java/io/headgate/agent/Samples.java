package io.headgate.agent;

import io.headgate.core.rule.Behavior;
import io.headgate.core.rule.Location;
import io.headgate.core.rule.NamePattern;
import io.headgate.core.rule.Rate;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.RuleOptions;
import io.headgate.core.rule.RuleSet;
import io.headgate.core.rule.Scope;
import io.headgate.core.rule.ServiceRules;
import io.headgate.core.shed.Directive;
import io.headgate.core.shed.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** Rules, gates and directives for tests. */
final class Samples {

  static final Location LOCATION = new Location("eu", "eu-1");

  private Samples() {}

  static RuleBuilder rule(String name) {
    return new RuleBuilder(name);
  }

  static ServiceRules payments(Rule... rules) {
    return new ServiceRules("payments", List.of(rules));
  }

  static RuleSet ruleSet(long version, Rule... rules) {
    return RuleSet.of(version, List.of(payments(rules)));
  }

  static Gates gates(LongSupplier draws) {
    return gates(10_000, draws);
  }

  static Gates gates(int maxGates, LongSupplier draws) {
    return new Gates(maxGates, LOCATION, Duration.ofSeconds(1), draws);
  }

  /** The draw that passes every threshold above {@code share} of the whole, and no other. */
  static long draw(double share) {
    return (long) (share * 0x1p63);
  }

  /** First attempts of the default class pass in this share. */
  static long accept(double ratio) {
    return new Directive(Level.DEFAULT_CLASS, Directive.accept(ratio)).toBits();
  }

  static Bucket bucket(Gates gates, String rule) {
    return gates.services().stream()
        .flatMap(service -> service.buckets().stream())
        .filter(bucket -> bucket.key().rule().equals(rule))
        .findFirst()
        .orElseThrow();
  }

  static final class RuleBuilder {

    private final String name;
    private String caller = "*";
    private String procedure = "*";
    private boolean perCaller;
    private boolean perProcedure;
    private double limit = 100;
    private Scope scope = Scope.GLOBAL;
    private Behavior behavior = Behavior.DENY;
    private RuleOptions options = RuleOptions.DEFAULT;

    private RuleBuilder(String name) {
      this.name = name;
    }

    RuleBuilder caller(String pattern) {
      caller = pattern;
      return this;
    }

    RuleBuilder procedure(String pattern) {
      procedure = pattern;
      return this;
    }

    RuleBuilder perCaller() {
      perCaller = true;
      return this;
    }

    RuleBuilder perProcedure() {
      perProcedure = true;
      return this;
    }

    RuleBuilder limit(double perSecond) {
      limit = perSecond;
      return this;
    }

    RuleBuilder scope(Scope scope) {
      this.scope = scope;
      return this;
    }

    RuleBuilder shadow() {
      behavior = Behavior.ALLOW;
      return this;
    }

    RuleBuilder options(RuleOptions options) {
      this.options = options;
      return this;
    }

    Rule build() {
      return new Rule(
          name,
          NamePattern.of(caller),
          NamePattern.of(procedure),
          perCaller,
          perProcedure,
          Rate.perSecond(limit),
          Map.of(),
          scope,
          behavior,
          options);
    }
  }
}
