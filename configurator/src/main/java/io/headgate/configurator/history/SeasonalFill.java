package io.headgate.configurator.history;

import io.headgate.configurator.series.Series;
import org.hipparchus.stat.StatUtils;

/**
 * Fills gaps with the median of the same time in other weeks. A line between the ends of a gap
 * would cut off the peak that lies within it.
 */
final class SeasonalFill {

  private SeasonalFill() {}

  /** The series without its gaps, but for those that no other week can fill. */
  static Series fill(Series series) {
    int week = Series.WEEK / series.stepSeconds();
    double[] filled = series.values();
    double[] others = new double[series.size() / Math.max(1, week) + 1];
    for (int i = 0; i < filled.length; i++) {
      if (Double.isNaN(filled[i])) {
        int count = 0;
        for (int other = i % week; other < filled.length; other += week) {
          double value = series.at(other);
          if (!Double.isNaN(value)) {
            others[count++] = value;
          }
        }
        filled[i] = count == 0 ? Double.NaN : StatUtils.percentile(others, 0, count, 50);
      }
    }
    return series.withValues(filled);
  }
}
