package io.headgate.configurator.policy;

import io.headgate.configurator.series.Series;
import org.hipparchus.stat.StatUtils;

/**
 * Steady growth from week to week: the Theil-Sen slope of the weekly peaks, where every week's peak
 * is above those before it. What goes up and down is no growth.
 *
 * <p>H. Theil, "A rank-invariant method of linear and polynomial regression analysis" (1950); P. K.
 * Sen, "Estimates of the regression coefficient based on Kendall's tau", Journal of the American
 * Statistical Association 63 (1968).
 */
final class Growth {

  private static final double MOST_PER_WEEK = 0.05;
  private static final int LEAST_WEEKS = 3;
  private static final int DAYS = 7;

  private Growth() {}

  /**
   * The factor by which peaks will have grown a week after the next run, 1 without growth.
   *
   * @param dailyPeaks oldest first, NaN if not known
   * @param runSeconds the time until the next run
   */
  static double factor(double[] dailyPeaks, long runSeconds) {
    int weeks = dailyPeaks.length / DAYS;
    double[] peaks = new double[weeks];
    for (int week = 0; week < weeks; week++) {
      int from = dailyPeaks.length - (weeks - week) * DAYS;
      for (int day = from; day < from + DAYS; day++) {
        peaks[week] = dailyPeaks[day] > peaks[week] ? dailyPeaks[day] : peaks[week];
      }
    }
    if (weeks < LEAST_WEEKS) {
      return 1;
    }
    double[] slopes = new double[weeks * (weeks - 1) / 2];
    int count = 0;
    for (int a = 0; a < weeks; a++) {
      for (int b = a + 1; b < weeks; b++) {
        if (peaks[b] <= peaks[a]) {
          return 1;
        }
        slopes[count++] = (peaks[b] - peaks[a]) / (b - a);
      }
    }
    double perWeek = StatUtils.percentile(slopes, 50) / peaks[weeks - 1];
    double horizonWeeks = 1 + (double) runSeconds / Series.WEEK;
    return 1 + horizonWeeks * Math.min(MOST_PER_WEEK, perWeek);
  }
}
