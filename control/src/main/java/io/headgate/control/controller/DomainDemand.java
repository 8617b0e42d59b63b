package io.headgate.control.controller;

import io.headgate.core.rule.Domain;
import io.headgate.core.shed.Demand;
import io.headgate.core.shed.Directive;
import io.headgate.core.shed.DropLaw;
import io.headgate.core.shed.LawSettings;
import io.headgate.core.shed.Level;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One bucket in one domain: what is offered there, the limit, and what follows from both. */
final class DomainDemand {

  /** Of a limit of which less than this part is in use no surge is worth a guard. */
  private static final double LEAST_IN_USE = 0.25;

  /** The part in use is told again when it has moved by this part of itself. */
  private static final double IN_USE_STEP = 0.1;

  private static final long NONE = Directive.NONE.toBits();

  private final Domain domain;
  private final DropLaw law;
  private final double equalShare;
  private double limitPerSecond;
  private boolean guarded;

  /** Nearly all buckets have requests at {@link Level#UNSAID} only, and no array. */
  private double offeredAtUnsaid;

  private double @Nullable [] offeredAtOthers;
  private double dropped;
  private double wouldDrop;
  private double variance;
  private double held;

  /** Of what is offered, the part of this region. */
  private double own;

  private @Nullable RegionShare shares;
  private long directiveBits = NONE;
  private RuleGauges.@Nullable Gauges gauges;

  DomainDemand(Domain domain, double limitPerSecond, LawSettings law) {
    this.domain = domain;
    this.law = new DropLaw(law);
    this.equalShare = law.floorShare();
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

  /** Whether processes have a surge guard, and need to know how much of the limit is in use. */
  void guarded(boolean guarded) {
    this.guarded = guarded;
  }

  /** Forgets the demand, to be summed anew. */
  void clear() {
    offeredAtUnsaid = 0;
    if (offeredAtOthers != null) {
      Arrays.fill(offeredAtOthers, 0);
    }
    dropped = 0;
    wouldDrop = 0;
    variance = 0;
    held = 0;
    own = 0;
  }

  /**
   * Adds what an aggregator of this region has reported for its bucket {@code id}.
   *
   * @param obeying the share that can be told to shed, from 0 to 1
   * @param open the share that cannot
   */
  void addOwn(RateTable rates, int id, double obeying, double open) {
    add(rates, id, obeying);
    held += open * rates.offered(id);
    own += (obeying + open) * rates.offered(id);
  }

  /** Adds what another region has reported for its bucket {@code id}. */
  void addOther(RateTable rates, int id) {
    add(rates, id, 1);
  }

  /**
   * Notes the demand here and in another region that has just reported.
   *
   * @param region its number
   */
  void note(int region, double theirs) {
    RegionShare shares = this.shares;
    if (shares == null) {
      shares = new RegionShare();
      this.shares = shares;
    }
    shares.note(region, own, theirs);
  }

  private void add(RateTable rates, int id, double share) {
    double all = rates.offered(id);
    double reachable = all > 0 ? 1 - rates.held(id) / all : 0;
    double rest = all;
    double[] levels = rates.levels(id);
    if (levels != null) {
      rest -= addLevels(levels, share * reachable);
    }
    offeredAtUnsaid += share * reachable * Math.max(0, rest);
    held += share * rates.held(id);
    variance += share * reachable * rates.variance(id);
    dropped += share * rates.dropped(id);
    wouldDrop += share * rates.wouldDrop(id);
  }

  /**
   * Applies the drop law to the demand as it is now.
   *
   * @param byLevel room for a number for each level
   * @param cutOff the regions for which a part of the limit is to be left
   */
  void judge(long nowNanos, double[] byLevel, CutOff cutOff) {
    for (int level = 0; level < byLevel.length; level++) {
      byLevel[level] = offered(level);
    }
    double limit = limitPerSecond * share(cutOff);
    Directive next = law.update(nowNanos, new Demand(byLevel, variance, held), limit);
    directiveBits = (next.isNone() && guarded ? inUse(limit) : next).toBits();
  }

  /** Kept as it was while little has changed: each change goes to every process. */
  private Directive inUse(double limit) {
    double inUse = (law.estimatePerSecond() + held) / limit;
    Directive before = Directive.fromBits(directiveBits);
    if (before.isInUse()
        && Math.abs(inUse - before.acceptRatio()) <= IN_USE_STEP * before.acceptRatio()) {
      return before;
    }
    return inUse >= LEAST_IN_USE ? Directive.inUse(inUse) : Directive.NONE;
  }

  /** The directive in force, as {@link Directive#toBits()}. */
  long directiveBits() {
    return directiveBits;
  }

  /** What sources offer at a level that can be told to shed. */
  double offered(int level) {
    double[] others = offeredAtOthers;
    if (level == Level.UNSAID) {
      return offeredAtUnsaid;
    }
    return others == null ? 0 : others[level];
  }

  /** What all sources offer. */
  double offered() {
    double sum = held + offeredAtUnsaid;
    if (offeredAtOthers != null) {
      for (double atLevel : offeredAtOthers) {
        sum += atLevel;
      }
    }
    return sum;
  }

  /** Where its figures are shown; null before they are for the first time. */
  RuleGauges.@Nullable Gauges gauges() {
    return gauges;
  }

  void gauges(RuleGauges.Gauges gauges) {
    this.gauges = gauges;
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
    if (directiveBits == NONE) {
      return 0;
    }
    Directive directive = Directive.fromBits(directiveBits);
    double all = held;
    double admitted = held;
    for (int level = 0; level < Level.COUNT; level++) {
      all += offered(level);
      admitted += offered(level) * directive.acceptRatio(level);
    }
    return all > 0 ? 1 - admitted / all : 0;
  }

  boolean hasDemand() {
    return offered() > 0 || dropped > 0 || wouldDrop > 0;
  }

  /** Whether there is neither demand nor a directive. */
  boolean isIdle() {
    return directiveBits == NONE && !hasDemand();
  }

  private double share(CutOff cutOff) {
    if (cutOff.isNone()) {
      return 1;
    }
    RegionShare known = shares == null ? new RegionShare() : shares;
    return known.of(cutOff, offered() - own, equalShare);
  }

  private double addLevels(double[] levels, double share) {
    double[] others = offeredAtOthers;
    if (others == null) {
      others = new double[Level.COUNT];
      offeredAtOthers = others;
    }
    double sum = 0;
    for (int level = 0; level < Level.COUNT; level++) {
      if (level != Level.UNSAID) {
        others[level] += share * levels[level];
        sum += levels[level];
      }
    }
    return sum;
  }
}
