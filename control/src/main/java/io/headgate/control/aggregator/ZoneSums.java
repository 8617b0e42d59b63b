package io.headgate.control.aggregator;

import io.headgate.core.shed.Level;
import java.util.Arrays;

/**
 * The rates of all clients together, by bucket index. They are kept up as clients report, so that
 * they can be looked at many times a second, and summed anew each interval, so that no rounding
 * error can build up.
 */
final class ZoneSums {

  private static final int OFFERED = 0;
  private static final int VARIANCE = 1;
  private static final int DROPPED = 2;
  private static final int WOULD_DROP = 3;
  private static final int COLUMNS = 4;

  /** What belongs to one bucket lies side by side: clients add to buckets in no order. */
  private double[] sums = new double[0];

  /** How many rates a bucket's sums are of; those of none are 0, whatever rounding has left. */
  private int[] rates = new int[0];

  /** {@link Level#COUNT} numbers a bucket; empty as long as nobody reports levels. */
  private double[] levels = new double[0];

  /** Forgets all sums. */
  void reset() {
    Arrays.fill(sums, 0);
    Arrays.fill(rates, 0);
    Arrays.fill(levels, 0);
  }

  void add(int bucket, double offered, double variance, double dropped, double wouldDrop) {
    if (bucket >= rates.length) {
      makeRoom(bucket);
    }
    rates[bucket]++;
    change(bucket, offered, variance, dropped, wouldDrop);
  }

  /** Takes back what was added. */
  void remove(int bucket, double offered, double variance, double dropped, double wouldDrop) {
    if (--rates[bucket] > 0) {
      change(bucket, -offered, -variance, -dropped, -wouldDrop);
      return;
    }
    Arrays.fill(sums, bucket * COLUMNS, (bucket + 1) * COLUMNS, 0);
    if (bucket * Level.COUNT < levels.length) {
      Arrays.fill(levels, bucket * Level.COUNT, (bucket + 1) * Level.COUNT, 0);
    }
  }

  void addLevel(int bucket, int level, double offered) {
    int at = bucket * Level.COUNT + level;
    if (at >= levels.length) {
      levels = Arrays.copyOf(levels, rates.length * Level.COUNT);
    }
    levels[at] += offered;
  }

  private void change(
      int bucket, double offered, double variance, double dropped, double wouldDrop) {
    int at = bucket * COLUMNS;
    sums[at + OFFERED] += offered;
    sums[at + VARIANCE] += variance;
    sums[at + DROPPED] += dropped;
    sums[at + WOULD_DROP] += wouldDrop;
  }

  private void makeRoom(int bucket) {
    int capacity = Math.max(bucket + 1, 2 * rates.length);
    sums = Arrays.copyOf(sums, capacity * COLUMNS);
    rates = Arrays.copyOf(rates, capacity);
  }

  double offered(int bucket) {
    return sum(bucket, OFFERED);
  }

  /** The variance that {@link #offered} would have were requests a Poisson process. */
  double variance(int bucket) {
    return sum(bucket, VARIANCE);
  }

  double dropped(int bucket) {
    return sum(bucket, DROPPED);
  }

  double wouldDrop(int bucket) {
    return sum(bucket, WOULD_DROP);
  }

  /** A sum of which something was taken back may be less than nothing by a rounding error. */
  private double sum(int bucket, int column) {
    return bucket < rates.length ? Math.max(0, sums[bucket * COLUMNS + column]) : 0;
  }

  /** What is offered at a level, as far as it was named; the rest is at the rule's default. */
  double level(int bucket, int level) {
    int at = bucket * Level.COUNT + level;
    return at < levels.length ? Math.max(0, levels[at]) : 0;
  }

  /** Whether any level was named. */
  boolean hasLevels() {
    return levels.length > 0;
  }
}
