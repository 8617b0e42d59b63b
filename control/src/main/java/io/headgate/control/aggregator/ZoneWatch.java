package io.headgate.control.aggregator;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntPredicate;

/**
 * Tells whether the demand of the zone has moved since the controllers were told of it last. What
 * is noise at each client, since it makes few requests, may be plain to see in the sum of many.
 */
final class ZoneWatch {

  /** Looks are made several times a second for many buckets; few of them may err. */
  private static final double SIGMA = 4.5;

  /** To act on a smaller change a moment sooner is not worth a message to everybody. */
  private static final double LEAST_CHANGE = 0.1;

  /**
   * What is told between the intervals are the buckets of urgent reports, and those that have moved
   * by this much. Of thousands of buckets nearly all have moved a little since they were told,
   * which can wait.
   */
  private static final double NEWS_SIGMA = 2;

  /** Buckets of clients whose demand has moved since the controllers were told last. */
  private final BitSet urgent = new BitSet();

  private double[] offered = new double[0];
  private double[] variance = new double[0];

  /**
   * The controllers know these sums.
   *
   * @param news the buckets that they were told of
   */
  void told(ZoneSums sums, int end, IntPredicate news) {
    if (offered.length < end) {
      offered = Arrays.copyOf(offered, Math.max(end, 2 * offered.length));
      variance = Arrays.copyOf(variance, offered.length);
    }
    for (int bucket = 0; bucket < end; bucket++) {
      if (news.test(bucket)) {
        offered[bucket] = sums.offered(bucket);
        variance[bucket] = sums.variance(bucket);
      }
    }
    urgent.clear();
  }

  /** A client has reported a bucket urgently: controllers are told of it, however little it is. */
  void urgent(int bucket) {
    urgent.set(bucket);
  }

  /** Whether any bucket's demand is another by more than noise explains. */
  boolean hasMoved(ZoneSums sums, int end) {
    for (int bucket = 0; bucket < end; bucket++) {
      double change = change(sums, bucket);
      double noise = sums.variance(bucket) + toldVariance(bucket);
      if (change > LEAST_CHANGE * toldOffered(bucket) && isMore(change, SIGMA, noise)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a bucket's demand is another at all. */
  boolean isChanged(ZoneSums sums, int bucket) {
    return change(sums, bucket) > 0;
  }

  /**
   * Whether a bucket's demand is another by so much that it is told of between the intervals. The
   * noise is that of the better of the two numbers: what was told in haste is put right at once.
   */
  boolean isNews(ZoneSums sums, int bucket) {
    double noise = 2 * Math.min(sums.variance(bucket), toldVariance(bucket));
    double change = change(sums, bucket);
    return isMore(change, NEWS_SIGMA, noise) || (change > 0 && urgent.get(bucket));
  }

  /** Compared by squares: most buckets have not changed at all. */
  private static boolean isMore(double change, double sigma, double variance) {
    return change * change > sigma * sigma * variance;
  }

  private double change(ZoneSums sums, int bucket) {
    return Math.abs(sums.offered(bucket) - toldOffered(bucket));
  }

  private double toldOffered(int bucket) {
    return bucket < offered.length ? offered[bucket] : 0;
  }

  private double toldVariance(int bucket) {
    return bucket < variance.length ? variance[bucket] : 0;
  }
}
