package io.headgate.configurator.history;

import io.headgate.configurator.series.Series;
import java.util.Arrays;
import java.util.List;

/**
 * The past of one rule in one domain, as a policy may learn from it.
 *
 * @param usable what was offered, without the windows of the calendar and throttled time; NaN there
 * @param kept the same without days whose peaks are outliers
 * @param filled the same with gaps filled from other weeks, as far as they can be
 * @param dailyPeaks the greatest rate of each day, oldest first; NaN for a day that is not known or
 *     whose peak is an outlier
 * @param coverage how much of it is known
 * @param failoverPeak the greatest rate while another region's calls came here; 0 if there was none
 * @param notes what was left out and what is unusual, for people
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares histories
public record History(
    Series usable,
    Series kept,
    Series filled,
    double[] dailyPeaks,
    Coverage coverage,
    double failoverPeak,
    List<String> notes) {

  public History {
    dailyPeaks = dailyPeaks.clone();
    notes = List.copyOf(notes);
  }

  /** A copy. */
  @Override
  public double[] dailyPeaks() {
    return dailyPeaks.clone();
  }

  /** The daily peaks that are known and no outliers, oldest first. */
  public double[] usualPeaks() {
    return Arrays.stream(dailyPeaks).filter(peak -> !Double.isNaN(peak)).toArray();
  }

  /** The share of what is kept of the past that a limit would have dropped, 0 to 1. */
  public double droppedBy(double limitPerSecond) {
    double dropped = 0;
    double offered = 0;
    for (int i = 0; i < kept.size(); i++) {
      double value = kept.at(i);
      if (!Double.isNaN(value)) {
        offered += value;
        dropped += Math.max(0, value - limitPerSecond);
      }
    }
    return offered == 0 ? 0 : dropped / offered;
  }
}
