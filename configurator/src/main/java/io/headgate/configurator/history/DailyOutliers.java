package io.headgate.configurator.history;

import java.util.Arrays;
import org.hipparchus.stat.StatUtils;

/** Which days have peaks unlike those of others. A peak that is not known is no outlier. */
final class DailyOutliers {

  private static final int DAYS_OF_WEEK = 7;

  /** A rise of as many days is no accident any more: an attack passes, growth does not. */
  private static final int LEAST_DAYS_OF_NEW_LEVEL = 3;

  private static final double WELL_ABOVE = 1.2;

  private DailyOutliers() {}

  /** The days that are too high. A weekly job is no outlier. */
  static boolean[] tooHigh(double[] peaks) {
    Hampel usual = usual(peaks);
    boolean[] tooHigh = new boolean[peaks.length];
    for (int day = 0; day < peaks.length; day++) {
      tooHigh[day] = usual.isTooHigh(peaks[day]);
    }
    return accidents(tooHigh);
  }

  /** The days that are too low. A weekend is no outlier. */
  static boolean[] tooLow(double[] peaks) {
    Hampel usual = usual(peaks);
    boolean[] tooLow = new boolean[peaks.length];
    for (int day = 0; day < peaks.length; day++) {
      tooLow[day] = usual.isTooLow(peaks[day]);
    }
    return accidents(tooLow);
  }

  /** Outliers without those that come on most of their weekdays. */
  private static boolean[] accidents(boolean[] outliers) {
    boolean[] accidents = new boolean[outliers.length];
    for (int day = 0; day < outliers.length; day++) {
      accidents[day] = outliers[day] && !isWeekly(outliers, day);
    }
    return accidents;
  }

  /**
   * How many days at the end belong to a new level; 0 if there is none. They are all well above
   * their weekday's median: against the day before, each weekend would be a return.
   */
  static int daysOfNewLevel(double[] peaks) {
    double[] ofWeekday = ofWeekday(peaks);
    int days = 0;
    while (days < peaks.length && ofWeekday[peaks.length - 1 - days] > WELL_ABOVE) {
      days++;
    }
    return days >= LEAST_DAYS_OF_NEW_LEVEL ? days : 0;
  }

  private static Hampel usual(double[] values) {
    double[] known = Arrays.stream(values).filter(value -> !Double.isNaN(value)).toArray();
    return known.length == 0 ? Hampel.of(new double[1]) : Hampel.of(known);
  }

  private static boolean isWeekly(boolean[] outliers, int day) {
    int weeks = 0;
    int count = 0;
    for (int same = day % DAYS_OF_WEEK; same < outliers.length; same += DAYS_OF_WEEK) {
      weeks++;
      count += outliers[same] ? 1 : 0;
    }
    return count >= 2 && 2 * count > weeks;
  }

  private static double[] ofWeekday(double[] peaks) {
    double[] shares = new double[peaks.length];
    for (int weekday = 0; weekday < Math.min(DAYS_OF_WEEK, peaks.length); weekday++) {
      double[] same = new double[peaks.length];
      int count = 0;
      for (int day = weekday; day < peaks.length; day += DAYS_OF_WEEK) {
        if (!Double.isNaN(peaks[day])) {
          same[count++] = peaks[day];
        }
      }
      double median = count == 0 ? Double.NaN : StatUtils.percentile(same, 0, count, 50);
      for (int day = weekday; day < peaks.length; day += DAYS_OF_WEEK) {
        // 0/0 is not known; a day with traffic among days without is infinitely above them.
        shares[day] = peaks[day] / median;
      }
    }
    return shares;
  }
}
