package io.headgate.agent;

import io.headgate.core.shed.Level;
import io.headgate.protocol.v1.LevelCount;
import io.headgate.protocol.v1.RecentCount;
import io.headgate.protocol.v1.Report;
import org.jspecify.annotations.Nullable;

/**
 * Fills one report with what buckets counted since they were last written. A bucket that counted
 * nothing has no row.
 */
final class ReportWriter {

  /** So many definitions, with names of the greatest length, stay below gRPC's bound of 4 MiB. */
  static final int MAX_DEFINITIONS = 2_000;

  private static final double NANOS_PER_SECOND = 1e9;

  private final Report.Builder report;
  private final BucketNumbers numbers;
  private final double sparseBelowPerSecond;
  private boolean anyDropped;
  private boolean anyWouldDrop;

  /** A writer that takes buckets with a lower rate than the given one for sparse. */
  ReportWriter(Report.Builder report, BucketNumbers numbers, double sparseBelowPerSecond) {
    this.report = report;
    this.sparseBelowPerSecond = sparseBelowPerSecond;
    this.numbers = numbers;
  }

  /**
   * Takes a bucket's counts, and defines it where the stream does not know it yet. If there have
   * been too many definitions, it is left for a later report.
   */
  void add(Bucket bucket) {
    if (bucket.number() == 0) {
      if (report.getDefineCount() == MAX_DEFINITIONS) {
        return;
      }
      report.addDefine(numbers.define(bucket));
    }
    int row = report.getBucketCount();
    long total = 0;
    long offered = 0;
    long dropped = 0;
    long wouldDrop = 0;
    for (int level = 0; level < Level.COUNT; level++) {
      @Nullable LevelCounts counts = bucket.countsIfSeen(level);
      if (counts != null) {
        long droppedHere = counts.takeDropped();
        long wouldDropHere = counts.takeWouldDrop();
        long offeredHere = counts.takeAdmitted() + droppedHere + wouldDropHere;
        total += counts.offeredTaken();
        offered += offeredHere;
        dropped += droppedHere;
        wouldDrop += wouldDropHere;
        if (level != Level.UNSAID && offeredHere > 0) {
          report.addLevel(
              LevelCount.newBuilder().setRow(row).setLevel(level).setOffered(offeredHere));
        }
      }
    }
    BucketDemand demand = bucket.demand();
    if (offered > 0) {
      if (demand.recentNanos() > 0) {
        report.addRecent(
            RecentCount.newBuilder()
                .setRow(row)
                .setNanos(Math.min(demand.recentNanos(), report.getElapsedNanos()))
                .setOffered(Math.min(demand.recent(), offered)));
      }
      report.addBucket(bucket.number());
      report.addOffered(offered);
      report.addDropped(dropped);
      report.addWouldDrop(wouldDrop);
      anyDropped |= dropped > 0;
      anyWouldDrop |= wouldDrop > 0;
    }
    bucket.setSparse(offered * NANOS_PER_SECOND / report.getElapsedNanos() < sparseBelowPerSecond);
    demand.reported(total, report.getElapsedNanos());
  }

  /** The report; columns without a number other than zero are left out. */
  Report build() {
    return finish().build();
  }

  /** The same, for somebody to add what is not of buckets. */
  Report.Builder finish() {
    if (!anyDropped) {
      report.clearDropped();
    }
    if (!anyWouldDrop) {
      report.clearWouldDrop();
    }
    return report;
  }
}
