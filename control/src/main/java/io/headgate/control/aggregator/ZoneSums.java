package io.headgate.control.aggregator;

import io.headgate.core.shed.Level;
import java.util.Arrays;

/**
 * The rates of all clients together, by bucket index. They are summed anew each interval rather
 * than kept up: it costs a few milliseconds, and no rounding error can build up.
 */
final class ZoneSums {

  private double[] offered = new double[0];
  private double[] variance = new double[0];
  private double[] dropped = new double[0];
  private double[] wouldDrop = new double[0];

  /** {@link Level#COUNT} numbers a bucket; empty as long as nobody reports levels. */
  private double[] levels = new double[0];

  /**
   * Forgets all sums.
   *
   * @param end every bucket index from now on is below this
   */
  void reset(int end) {
    if (offered.length < end) {
      int capacity = Math.max(end, 2 * offered.length);
      offered = new double[capacity];
      variance = new double[capacity];
      dropped = new double[capacity];
      wouldDrop = new double[capacity];
    } else {
      Arrays.fill(offered, 0);
      Arrays.fill(variance, 0);
      Arrays.fill(dropped, 0);
      Arrays.fill(wouldDrop, 0);
    }
    Arrays.fill(levels, 0);
  }

  void add(int bucket, double offered, double variance, double dropped, double wouldDrop) {
    this.offered[bucket] += offered;
    this.variance[bucket] += variance;
    this.dropped[bucket] += dropped;
    this.wouldDrop[bucket] += wouldDrop;
  }

  void addLevel(int bucket, int level, double offered) {
    int at = bucket * Level.COUNT + level;
    if (at >= levels.length) {
      levels = Arrays.copyOf(levels, this.offered.length * Level.COUNT);
    }
    levels[at] += offered;
  }

  double offered(int bucket) {
    return bucket < offered.length ? offered[bucket] : 0;
  }

  /** The variance that {@link #offered} would have were requests a Poisson process. */
  double variance(int bucket) {
    return bucket < variance.length ? variance[bucket] : 0;
  }

  double dropped(int bucket) {
    return bucket < dropped.length ? dropped[bucket] : 0;
  }

  double wouldDrop(int bucket) {
    return bucket < wouldDrop.length ? wouldDrop[bucket] : 0;
  }

  /** What is offered at a level, as far as it was named; the rest is at the rule's default. */
  double level(int bucket, int level) {
    int at = bucket * Level.COUNT + level;
    return at < levels.length ? levels[at] : 0;
  }

  /** Whether any level was named. */
  boolean hasLevels() {
    return levels.length > 0;
  }
}
