package io.headgate.configurator.history;

import org.hipparchus.stat.StatUtils;

/**
 * Hampel's identifier: what is farther from the median than three standard deviations, these taken
 * from the median absolute deviation, does not belong to the rest. Up to half of the values may be
 * outliers before it fails, whatever their size; a mean is carried away by one.
 *
 * <p>F. R. Hampel, "The influence curve and its role in robust estimation", Journal of the American
 * Statistical Association 69 (1974); L. Davies and U. Gather, "The identification of multiple
 * outliers", same journal 88 (1993).
 */
final class Hampel {

  /** Turns a median absolute deviation into a standard deviation, were the values normal. */
  private static final double TO_SIGMA = 1.4826;

  private static final double SIGMAS = 3;

  /** Values that hardly differ must not make the smallest difference an outlier. */
  private static final double LEAST_DEVIATION = 0.05;

  private final double median;
  private final double reach;

  private Hampel(double median, double reach) {
    this.median = median;
    this.reach = reach;
  }

  /** Learns what is usual from values of which none is NaN; there must be one. */
  static Hampel of(double[] values) {
    double median = StatUtils.percentile(values, 50);
    double[] deviations = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      deviations[i] = Math.abs(values[i] - median);
    }
    double deviation =
        Math.max(StatUtils.percentile(deviations, 50), LEAST_DEVIATION * Math.abs(median));
    return new Hampel(median, SIGMAS * TO_SIGMA * deviation);
  }

  boolean isTooHigh(double value) {
    return value - median > reach;
  }

  boolean isTooLow(double value) {
    return median - value > reach;
  }
}
