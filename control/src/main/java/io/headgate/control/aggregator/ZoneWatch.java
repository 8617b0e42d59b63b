package io.headgate.control.aggregator;

import java.util.Arrays;

/**
 * Tells whether the demand of the zone has moved since the controllers were told of it last. What
 * is noise at each client, since it makes few requests, may be plain to see in the sum of many.
 */
final class ZoneWatch {

  /** Looks are made several times a second for many buckets; few of them may err. */
  private static final double SIGMA = 4.5;

  /** To act on a smaller change a moment sooner is not worth a message to everybody. */
  private static final double LEAST_CHANGE = 0.1;

  private double[] offered = new double[0];
  private double[] variance = new double[0];

  /** The controllers know these sums. */
  void told(ZoneSums sums, int end) {
    if (offered.length < end) {
      offered = Arrays.copyOf(offered, Math.max(end, 2 * offered.length));
      variance = Arrays.copyOf(variance, offered.length);
    }
    for (int bucket = 0; bucket < end; bucket++) {
      offered[bucket] = sums.offered(bucket);
      variance[bucket] = sums.variance(bucket);
    }
  }

  /** Whether any bucket's demand is another by more than noise explains. */
  boolean hasMoved(ZoneSums sums, int end) {
    for (int bucket = 0; bucket < end; bucket++) {
      double before = bucket < offered.length ? offered[bucket] : 0;
      double noise = sums.variance(bucket) + (bucket < variance.length ? variance[bucket] : 0);
      double change = Math.abs(sums.offered(bucket) - before);
      // Compared by squares: most buckets have not changed at all.
      if (change * change > SIGMA * SIGMA * noise && change > LEAST_CHANGE * before) {
        return true;
      }
    }
    return false;
  }
}
