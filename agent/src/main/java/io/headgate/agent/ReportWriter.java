package io.headgate.agent;

import io.headgate.core.shed.Level;
import io.headgate.protocol.v1.LevelCount;
import io.headgate.protocol.v1.Report;
import org.jspecify.annotations.Nullable;

/**
 * Fills one report with what buckets counted since they were last written.
 *
 * <p>A bucket gets a row if it counted something, and one row of zeros after it last did: a
 * receiver that holds on to the latest rate then knows at once that there is no more.
 */
final class ReportWriter {

  /** Rows and definitions in a report, so that it stays far below gRPC's bound on a message. */
  static final int MAX_ROWS = 4_000;

  private static final int DEFAULT_LEVEL = Level.of(Level.DEFAULT_CLASS, false);

  private final Report.Builder report;
  private final BucketNumbers numbers;
  private boolean anyOffered;
  private boolean anyDropped;
  private boolean anyWouldDrop;

  ReportWriter(Report.Builder report, BucketNumbers numbers) {
    this.report = report;
    this.numbers = numbers;
  }

  boolean isFull() {
    return report.getBucketCount() >= MAX_ROWS || report.getDefineCount() >= MAX_ROWS;
  }

  /** Defines a bucket where the stream does not know it yet. */
  void define(Bucket bucket) {
    if (bucket.number() == 0) {
      report.addDefine(numbers.define(bucket));
    }
  }

  /** Takes a bucket's counts. */
  void count(Bucket bucket) {
    int row = report.getBucketCount();
    long offered = 0;
    long dropped = 0;
    long wouldDrop = 0;
    for (int level = 0; level < Level.COUNT; level++) {
      @Nullable LevelCounts counts = bucket.countsIfSeen(level);
      if (counts != null) {
        long droppedHere = counts.takeDropped();
        long wouldDropHere = counts.takeWouldDrop();
        long offeredHere = counts.takeAdmitted() + droppedHere + wouldDropHere;
        offered += offeredHere;
        dropped += droppedHere;
        wouldDrop += wouldDropHere;
        if (level != DEFAULT_LEVEL && offeredHere > 0) {
          report.addLevel(
              LevelCount.newBuilder().setRow(row).setLevel(level).setOffered(offeredHere));
        }
      }
    }
    if (offered > 0 || bucket.inLastReport()) {
      report.addBucket(bucket.number());
      report.addOffered(offered);
      report.addDropped(dropped);
      report.addWouldDrop(wouldDrop);
      anyOffered |= offered > 0;
      anyDropped |= dropped > 0;
      anyWouldDrop |= wouldDrop > 0;
    }
    bucket.setInLastReport(offered > 0);
  }

  /** The report; columns without a number other than zero are left out. */
  Report build() {
    if (!anyOffered) {
      report.clearOffered();
    }
    if (!anyDropped) {
      report.clearDropped();
    }
    if (!anyWouldDrop) {
      report.clearWouldDrop();
    }
    return report.build();
  }
}
