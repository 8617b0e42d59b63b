package io.headgate.control.aggregator;

import io.headgate.protocol.v1.LevelCount;
import io.headgate.protocol.v1.Report;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The rates that one client has reported last, per second. Columns of primitive numbers: an
 * aggregator holds some hundred thousand of these rows and renews all of them each second.
 */
final class Latch {

  private static final int FIRST_CAPACITY = 8;

  /** A report may be much larger than those after it; then its columns are not worth keeping. */
  private static final int MAX_WASTE = 8;

  private int rows;
  private int[] buckets = new int[FIRST_CAPACITY];
  private double[] offered = new double[FIRST_CAPACITY];

  /**
   * The variance that the rate would have were requests a Poisson process, where it does not follow
   * from the rate and the time that the report covers.
   */
  private double @Nullable [] variance;

  /** Per second, what one request in the time that the report covers stands for. */
  private double perCount;

  private double @Nullable [] dropped;
  private double @Nullable [] wouldDrop;

  private int levelRows;
  private int[] levelBuckets = new int[0];
  private byte[] levels = new byte[0];
  private double[] levelOffered = new double[0];

  /** How many buckets have a rate. */
  int rows() {
    return rows;
  }

  /**
   * Takes a checked report in place of the one before it; a bucket without a row offers nothing
   * now.
   *
   * @param bucketOfRow the bucket of each row, or {@link BucketTable#NONE} for a row to leave out
   */
  void replace(Report report, int[] bucketOfRow) {
    RowRates rates = new RowRates(report);
    int reported = report.getBucketCount();
    makeRoom(reported);
    double[] droppedRates = column(dropped, report.getDroppedCount());
    double[] wouldDropRates = column(wouldDrop, report.getWouldDropCount());
    double[] variances = column(variance, report.getRecentCount());
    variance = variances;
    perCount = rates.perCount();
    dropped = droppedRates;
    wouldDrop = wouldDropRates;
    rows = 0;
    for (int row = 0; row < reported; row++) {
      if (bucketOfRow[row] == BucketTable.NONE
          || report.getOfferedCount() == 0
          || report.getOffered(row) == 0) {
        continue;
      }
      double perCount = rates.perCount(row);
      buckets[rows] = bucketOfRow[row];
      offered[rows] = report.getOffered(row) * perCount;
      if (variances != null) {
        variances[rows] = rates.variance(row, offered[rows]);
      }
      if (droppedRates != null) {
        droppedRates[rows] = report.getDropped(row) * perCount;
      }
      if (wouldDropRates != null) {
        wouldDropRates[rows] = report.getWouldDrop(row) * perCount;
      }
      rows++;
    }
    replaceLevels(report, bucketOfRow, rates);
  }

  /** Names the buckets that have a rate. */
  void forEachBucket(IntConsumer action) {
    for (int row = 0; row < rows; row++) {
      action.accept(buckets[row]);
    }
  }

  /** Offers nothing from now on. */
  void clear() {
    rows = 0;
    levelRows = 0;
  }

  void addTo(ZoneSums sums) {
    double[] droppedRates = dropped;
    double[] wouldDropRates = wouldDrop;
    double[] variances = variance;
    for (int row = 0; row < rows; row++) {
      sums.add(
          buckets[row],
          offered[row],
          variances == null ? offered[row] * perCount : variances[row],
          droppedRates == null ? 0 : droppedRates[row],
          wouldDropRates == null ? 0 : wouldDropRates[row]);
    }
    for (int row = 0; row < levelRows; row++) {
      sums.addLevel(levelBuckets[row], levels[row], levelOffered[row]);
    }
  }

  /** Takes back what was added; levels first, which end with their bucket's last rate. */
  void removeFrom(ZoneSums sums) {
    double[] droppedRates = dropped;
    double[] wouldDropRates = wouldDrop;
    double[] variances = variance;
    for (int row = 0; row < levelRows; row++) {
      sums.addLevel(levelBuckets[row], levels[row], -levelOffered[row]);
    }
    for (int row = 0; row < rows; row++) {
      sums.remove(
          buckets[row],
          offered[row],
          variances == null ? offered[row] * perCount : variances[row],
          droppedRates == null ? 0 : droppedRates[row],
          wouldDropRates == null ? 0 : wouldDropRates[row]);
    }
  }

  private void replaceLevels(Report report, int[] bucketOfRow, RowRates rates) {
    int reported = report.getLevelCount();
    if (levelBuckets.length < reported) {
      levelBuckets = new int[reported];
      levels = new byte[reported];
      levelOffered = new double[reported];
    }
    levelRows = 0;
    for (int i = 0; i < reported; i++) {
      LevelCount entry = report.getLevel(i);
      int bucket = bucketOfRow[entry.getRow()];
      if (bucket != BucketTable.NONE && entry.getOffered() > 0) {
        levelBuckets[levelRows] = bucket;
        levels[levelRows] = (byte) entry.getLevel();
        levelOffered[levelRows] = entry.getOffered() * rates.perCount(entry.getRow());
        levelRows++;
      }
    }
  }

  private void makeRoom(int reported) {
    int capacity = Math.max(FIRST_CAPACITY, reported);
    if (offered.length < capacity || offered.length > MAX_WASTE * capacity) {
      buckets = new int[capacity];
      offered = new double[capacity];
      variance = null;
      dropped = null;
      wouldDrop = null;
    }
  }

  /** A column for numbers, if there are any; most clients drop nothing most of the time. */
  private double @Nullable [] column(double @Nullable [] column, int reported) {
    if (reported == 0) {
      return null;
    }
    return column != null ? column : new double[offered.length];
  }
}
