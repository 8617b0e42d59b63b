package io.headgate.control.aggregator;

import io.headgate.protocol.v1.RecentCount;
import io.headgate.protocol.v1.Report;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What makes rates of the counts of a checked report, by row. A row whose rate has changed within
 * the time that the report covers counts with the rate at the end of that time; its parts keep
 * their shares of it.
 */
final class RowRates {

  private static final double NANOS_PER_SECOND = 1e9;

  private final Report report;
  private final double perCount;
  private final double @Nullable [] perCountOfRow;

  /** Per second, one over the time in which a row's rate was counted. */
  private final double @Nullable [] perWindowOfRow;

  RowRates(Report report) {
    this.report = report;
    perCount = NANOS_PER_SECOND / report.getElapsedNanos();
    if (report.getRecentCount() == 0) {
      perCountOfRow = null;
      perWindowOfRow = null;
      return;
    }
    int rows = report.getBucketCount();
    double[] ofCount = new double[rows];
    double[] ofWindow = new double[rows];
    Arrays.fill(ofCount, perCount);
    Arrays.fill(ofWindow, perCount);
    for (int i = 0; i < report.getRecentCount(); i++) {
      RecentCount recent = report.getRecent(i);
      int row = recent.getRow();
      if (report.getOffered(row) > 0) {
        ofWindow[row] = NANOS_PER_SECOND / recent.getNanos();
        ofCount[row] = recent.getOffered() * ofWindow[row] / report.getOffered(row);
      }
    }
    perCountOfRow = ofCount;
    perWindowOfRow = ofWindow;
  }

  /** The rate per second that one count stands for where the rate has not changed. */
  double perCount() {
    return perCount;
  }

  /** The rate per second that one count of a row stands for. */
  double perCount(int row) {
    return perCountOfRow == null ? perCount : perCountOfRow[row];
  }

  /**
   * The variance that the rate of a row would have were requests a Poisson process. It is at least
   * that of one request, and that of the rate over the whole report: a moment in which little was
   * counted by chance does not know better than the time before it how much might have been.
   */
  double variance(int row, double ratePerSecond) {
    double perWindow = perWindowOfRow == null ? perCount : perWindowOfRow[row];
    double rateOfWhole = report.getOffered(row) * perCount;
    return Math.max(Math.max(ratePerSecond, rateOfWhole), perWindow) * perWindow;
  }
}
