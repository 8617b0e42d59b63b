package io.headgate.control.controller;

import io.headgate.core.rule.BucketKey;
import io.headgate.core.rule.Domain;
import io.headgate.core.rule.Location;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.WhenCutOff;
import io.headgate.core.shed.Directive;
import io.headgate.core.shed.LawSettings;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A bucket and the domains in which its rule makes the zones of this region count. It has domains
 * only while it is active, that is while there is demand.
 */
final class Bucket {

  private static final long NONE = Directive.NONE.toBits();

  private final BucketKey key;
  private final LawSettings law;
  private @Nullable Rule rule;
  private boolean active;
  private List<DomainDemand> domains = List.of();
  private DomainDemand[] byZone = {};
  private @Nullable DomainDemand global;
  private int mark;

  Bucket(BucketKey key, LawSettings law) {
    this.key = key;
    this.law = law;
  }

  BucketKey key() {
    return key;
  }

  @Nullable Rule rule() {
    return rule;
  }

  boolean hasRule() {
    return rule != null;
  }

  /** Puts a rule in force; null takes away the domains and all that their laws have learned. */
  void rule(@Nullable Rule rule, List<Location> zones) {
    if (this.rule == null || rule == null || !countsAlike(this.rule, rule)) {
      domains = List.of();
    }
    this.rule = rule;
    place(zones);
  }

  /** Lays the domains out over the zones of this region, in the order of their numbers. */
  void place(List<Location> zones) {
    List<DomainDemand> before = domains;
    domains = new ArrayList<>();
    byZone = new DomainDemand[0];
    global = null;
    Rule rule = this.rule;
    if (rule == null || !active) {
      return;
    }
    byZone = new DomainDemand[zones.size()];
    for (int number = 0; number < byZone.length; number++) {
      Location zone = zones.get(number);
      Domain domain = rule.domain(zone);
      DomainDemand demand = find(domain, domains);
      if (demand == null) {
        double limitPerSecond = rule.limit(zone).perSecond();
        demand = find(domain, before);
        if (demand == null) {
          demand = new DomainDemand(domain, limitPerSecond, law);
        }
        demand.limit(limitPerSecond);
        demand.guarded(rule.options().isGuarded());
        domains.add(demand);
      }
      byZone[number] = demand;
      if (domain.equals(Domain.GLOBAL)) {
        global = demand;
      }
    }
  }

  /** What its rule does about regions that are cut off. */
  WhenCutOff whenCutOff() {
    Rule rule = this.rule;
    return rule == null ? WhenCutOff.SHARE : rule.options().whenCutOff();
  }

  boolean isActive() {
    return active;
  }

  void active(boolean active, List<Location> zones) {
    this.active = active;
    place(zones);
  }

  /** The domains of the zones of this region, each once. */
  List<DomainDemand> domains() {
    return domains;
  }

  /** The domain in which a zone counts. */
  DomainDemand ofZone(int zone) {
    return byZone[zone];
  }

  /** The global domain, or null if none of this region's zones counts in it. */
  @Nullable DomainDemand global() {
    return global;
  }

  /** What a zone is to do with this bucket's requests, as {@link Directive#toBits()}. */
  long directiveBits(int zone) {
    return zone < byZone.length ? byZone[zone].directiveBits() : NONE;
  }

  boolean isIdle() {
    for (DomainDemand demand : domains) {
      if (!demand.isIdle()) {
        return false;
      }
    }
    return true;
  }

  /** Marks it as in use in the sweep of this number. */
  void mark(int sweep) {
    mark = sweep;
  }

  boolean isMarked(int sweep) {
    return mark == sweep;
  }

  /** Whether the demand seen under one rule is the demand under the other. */
  private static boolean countsAlike(Rule one, Rule other) {
    return one.caller().equals(other.caller())
        && one.procedure().equals(other.procedure())
        && one.perCaller() == other.perCaller()
        && one.perProcedure() == other.perProcedure()
        && one.scope() == other.scope();
  }

  private static @Nullable DomainDemand find(Domain domain, List<DomainDemand> demands) {
    for (DomainDemand demand : demands) {
      if (demand.domain().equals(domain)) {
        return demand;
      }
    }
    return null;
  }
}
