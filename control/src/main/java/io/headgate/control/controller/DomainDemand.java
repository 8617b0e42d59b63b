package io.headgate.control.controller;

import io.headgate.core.rule.Domain;
import io.headgate.core.shed.Demand;
import io.headgate.core.shed.Directive;
import io.headgate.core.shed.DropLaw;
import io.headgate.core.shed.LawSettings;
import io.headgate.core.shed.Level;
import java.util.Arrays;

/** One bucket in one domain: what is offered there, the limit, and what follows from both. */
final class DomainDemand {

  private final Domain domain;
  private final DropLaw law;
  private final double[] offered = new double[Level.COUNT];
  private double limitPerSecond;
  private double dropped;
  private double wouldDrop;
  private double variance;
  private double held;
  private Directive directive = Directive.NONE;

  DomainDemand(Domain domain, double limitPerSecond, LawSettings law) {
    this.domain = domain;
    this.law = new DropLaw(law);
    this.limitPerSecond = limitPerSecond;
  }

  Domain domain() {
    return domain;
  }

  double limitPerSecond() {
    return limitPerSecond;
  }

  /** The law keeps what it has learned of the demand: that does not depend on the limit. */
  void limit(double limitPerSecond) {
    this.limitPerSecond = limitPerSecond;
  }

  /** Forgets the demand, to be summed anew. */
  void clear() {
    Arrays.fill(offered, 0);
    dropped = 0;
    wouldDrop = 0;
    variance = 0;
    held = 0;
  }

  /** Adds a share, from 0 to 1, of what a stream has reported for its bucket {@code id}. */
  void add(RateTable rates, int id, double share) {
    double all = rates.offered(id);
    double reachable = all > 0 ? 1 - rates.held(id) / all : 0;
    rates.addOffered(id, share * reachable, offered);
    held += share * rates.held(id);
    variance += share * reachable * rates.variance(id);
    dropped += share * rates.dropped(id);
    wouldDrop += share * rates.wouldDrop(id);
  }

  /** Applies the drop law to the demand as it is now. */
  void judge(long nowNanos) {
    directive = law.update(nowNanos, new Demand(offered, variance, held), limitPerSecond);
  }

  Directive directive() {
    return directive;
  }

  /** What sources offer at a level that can be told to shed. */
  double offered(int level) {
    return offered[level];
  }

  /** What all sources offer. */
  double offered() {
    double sum = held;
    for (double atLevel : offered) {
      sum += atLevel;
    }
    return sum;
  }

  double dropped() {
    return dropped;
  }

  double variance() {
    return variance;
  }

  /** Of what is offered, the demand of sources that cannot be told to shed. */
  double held() {
    return held;
  }

  double wouldDrop() {
    return wouldDrop;
  }

  /** The share of the demand that the directive in force drops, from 0 to 1. */
  double dropRatio() {
    if (directive.isNone()) {
      return 0;
    }
    double all = held;
    double admitted = held;
    for (int level = 0; level < offered.length; level++) {
      all += offered[level];
      admitted += offered[level] * directive.acceptRatio(level);
    }
    return all > 0 ? 1 - admitted / all : 0;
  }

  boolean hasDemand() {
    return offered() > 0 || dropped > 0 || wouldDrop > 0;
  }

  /** Whether there is neither demand nor a directive. */
  boolean isIdle() {
    return directive.isNone() && !hasDemand();
  }
}
