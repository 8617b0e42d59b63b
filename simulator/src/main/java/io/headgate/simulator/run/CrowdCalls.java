package io.headgate.simulator.run;

import io.headgate.core.rule.BucketKey;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.ServiceRules;
import io.headgate.simulator.scenario.Crowd;
import io.headgate.simulator.traffic.Poisson;
import io.headgate.simulator.traffic.PoissonTable;
import io.headgate.simulator.traffic.RateCurve;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The procedures of one kind that a crowd calls: how often they are called, and what became of it.
 */
final class CrowdCalls {

  private static final double NANOS_PER_SECOND = 1e9;

  private final Crowd.Calls calls;
  private final double[] weights;
  private final double[] popularity;
  private final double hostsPerProcedure;
  private final long intervalNanos;
  private final long[] changesNanos;
  private final double[] ratePerSecond;

  /** Tables for counts in a whole interval, if procedures are alike: by change and weight. */
  private final @Nullable PoissonTable[] tables;

  private final List<BucketKey> keys = new ArrayList<>();
  private final double[] weightOf;
  private double limitPerSecond = Double.POSITIVE_INFINITY;
  private int defaultClass;
  private boolean watched;

  // Of the steady time.
  private final double[] offered;
  private final double[] admitted;

  // Of the whole run.
  private final BitSet directed = new BitSet();
  private long offeredTotal;
  private long droppedTotal;

  /**
   * Calls that nobody makes yet.
   *
   * @param hosts how many hosts the crowd has
   * @param weights how much hosts of each kind call, 1 on average
   * @param intervalNanos the report interval
   */
  CrowdCalls(Crowd.Calls calls, int hosts, double[] weights, long intervalNanos) {
    this.calls = calls;
    this.weights = weights;
    popularity = new double[calls.procedures()];
    Arrays.setAll(popularity, calls::popularity);
    this.intervalNanos = intervalNanos;
    hostsPerProcedure = (double) hosts * calls.each() / calls.procedures();
    List<RateCurve.Change> changes = calls.rate().changes();
    changesNanos = new long[changes.size() + 1];
    ratePerSecond = new double[changes.size() + 1];
    ratePerSecond[0] = calls.rate().at(0);
    for (int i = 0; i < changes.size(); i++) {
      changesNanos[i + 1] = Math.round(changes.get(i).atSeconds() * NANOS_PER_SECOND);
      ratePerSecond[i + 1] = changes.get(i).perSecond();
    }
    tables = new PoissonTable[changesNanos.length * weights.length];
    weightOf = new double[calls.procedures()];
    offered = new double[calls.procedures()];
    admitted = new double[calls.procedures()];
  }

  /** How many procedures a host calls. */
  int each() {
    return calls.each();
  }

  int procedures() {
    return calls.procedures();
  }

  String procedure(int index) {
    return calls.name(index);
  }

  /** The procedure that a host calls as one of its {@link #each}. */
  int of(int host, int slot) {
    return (int) (((long) host * calls.each() + slot) % calls.procedures());
  }

  /** A host of a kind takes part. */
  void join(int host, int kind) {
    for (int slot = 0; slot < calls.each(); slot++) {
      weightOf[of(host, slot)] += weights[kind];
    }
  }

  /** Resolves the bucket of each procedure; each is to have one. */
  void rules(ServiceRules service, String caller, String watchedRule) {
    keys.clear();
    for (int index = 0; index < calls.procedures(); index++) {
      String procedure = calls.name(index);
      List<Rule> matching =
          service.rules().stream().filter(rule -> rule.matches(caller, procedure)).toList();
      if (matching.size() != 1 || matching.get(0).options().isGuarded()) {
        throw new IllegalArgumentException(
            "procedure '"
                + procedure
                + "' of a crowd: "
                + matching.size()
                + " rules are about it (expected: one, without a surge guard)");
      }
      Rule rule = matching.get(0);
      keys.add(BucketKey.of(service.service(), rule, caller, procedure));
      watched = rule.name().equals(watchedRule);
      limitPerSecond = rule.limit().perSecond();
      defaultClass = rule.options().criticality();
    }
  }

  BucketKey key(int procedure) {
    return keys.get(procedure);
  }

  /** The class of requests that carry none. */
  int defaultClass() {
    return defaultClass;
  }

  /** Whether figures are about them. */
  boolean isWatched() {
    return watched;
  }

  /** Each procedure's limit. */
  double limitPerSecond() {
    return limitPerSecond;
  }

  /** The mean number of calls of a procedure that a host of a kind makes between two times. */
  double mean(int procedure, int kind, long fromNanos, long toNanos) {
    double calls = 0;
    for (int change = 0; change < changesNanos.length; change++) {
      long end = change + 1 < changesNanos.length ? changesNanos[change + 1] : Long.MAX_VALUE;
      long nanos = Math.min(toNanos, end) - Math.max(fromNanos, changesNanos[change]);
      if (nanos > 0) {
        calls += perSecond(change, procedure, kind) * nanos / NANOS_PER_SECOND;
      }
    }
    return calls;
  }

  /** Draws how many calls of a procedure a host of a kind makes between two times. */
  long draw(int procedure, int kind, long fromNanos, long toNanos, RandomGenerator random) {
    PoissonTable table = table(procedure, kind, fromNanos, toNanos);
    return table != null
        ? table.draw(random)
        : Poisson.draw(mean(procedure, kind, fromNanos, toNanos), random);
  }

  /**
   * What {@link #draw} draws from, if there is a table for it: for a whole interval without change.
   */
  @Nullable PoissonTable table(int procedure, int kind, long fromNanos, long toNanos) {
    int change = changeAt(fromNanos);
    boolean whole = toNanos - fromNanos == intervalNanos && change == changeAt(toNanos);
    return whole && isEven() ? table(change, procedure, kind) : null;
  }

  /** Whether all procedures are called as often. */
  boolean isEven() {
    return calls.skew() == 0;
  }

  /** The procedure after another one, for a host that calls both. */
  int after(int procedure) {
    return procedure + 1 == offered.length ? 0 : procedure + 1;
  }

  /** The true demand for a procedure, per second. */
  double demandPerSecond(int procedure, double seconds) {
    return calls.rate().at(seconds)
        * popularity[procedure]
        * weightOf[procedure]
        / hostsPerProcedure;
  }

  /** Whether the rate changes between two times, the second one included. */
  long changeBetween(long fromNanos, long toNanos) {
    for (long change : changesNanos) {
      if (change > fromNanos && change < toNanos) {
        return change;
      }
    }
    return toNanos;
  }

  /**
   * Notes what became of calls.
   *
   * @param steadyPart the part of them that was made in the steady time
   */
  void count(int procedure, long offered, long dropped, double steadyPart) {
    offeredTotal += offered;
    droppedTotal += dropped;
    this.offered[procedure] += steadyPart * offered;
    this.admitted[procedure] += steadyPart * (offered - dropped);
  }

  /** Counts what another one has counted, of the same procedures and of other hosts. */
  void add(CrowdCalls other) {
    for (int procedure = 0; procedure < offered.length; procedure++) {
      weightOf[procedure] += other.weightOf[procedure];
      offered[procedure] += other.offered[procedure];
      admitted[procedure] += other.admitted[procedure];
    }
    directed.or(other.directed);
    offeredTotal += other.offeredTotal;
    droppedTotal += other.droppedTotal;
  }

  /** A directive for a procedure has reached a host. */
  void directed(int procedure) {
    directed.set(procedure);
  }

  /** For how many procedures there ever was a directive. */
  int directed() {
    return directed.cardinality();
  }

  /** What was offered in the steady time. */
  double offered(int procedure) {
    return offered[procedure];
  }

  /** What of that passed. */
  double admitted(int procedure) {
    return admitted[procedure];
  }

  long offeredTotal() {
    return offeredTotal;
  }

  long droppedTotal() {
    return droppedTotal;
  }

  private int changeAt(long nanos) {
    int change = changesNanos.length - 1;
    while (change > 0 && changesNanos[change] > nanos) {
      change--;
    }
    return change;
  }

  private double perSecond(int change, int procedure, int kind) {
    return ratePerSecond[change] * popularity[procedure] * weights[kind] / hostsPerProcedure;
  }

  private PoissonTable table(int change, int procedure, int kind) {
    int at = change * weights.length + kind;
    PoissonTable table = tables[at];
    if (table == null) {
      table =
          new PoissonTable(perSecond(change, procedure, kind) * intervalNanos / NANOS_PER_SECOND);
      tables[at] = table;
    }
    return table;
  }
}
