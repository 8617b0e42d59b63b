package io.headgate.control.controller;

import io.headgate.core.rule.BucketKey;
import io.headgate.core.shed.Level;
import io.headgate.protocol.v1.BucketDefinition;
import io.headgate.protocol.v1.LevelRate;
import io.headgate.protocol.v1.RegionReport;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * This region's demand for buckets of global domain, as it is told to other regions. All streams
 * share the numbering of buckets, so that a report is built once.
 */
final class RegionExport {

  private final int maxNumber;
  private final Map<BucketKey, Integer> numbers = new HashMap<>();
  private final Map<Integer, BucketKey> keys = new HashMap<>();
  private int lastNumber;
  private long sequence;

  /**
   * An export without reports.
   *
   * @param maxNumber the greatest number that a bucket may get
   */
  RegionExport(int maxNumber) {
    this.maxNumber = maxNumber;
  }

  /** Whether the numbers are used up, so that {@link #restart} must come before a report. */
  boolean isExhausted(List<Bucket> active) {
    long needed = lastNumber + (long) active.size();
    if (needed <= maxNumber) {
      return false;
    }
    for (Bucket bucket : active) {
      DomainDemand global = bucket.global();
      if (global == null || !global.hasDemand() || numbers.containsKey(bucket.key())) {
        needed--;
      }
    }
    return needed > maxNumber;
  }

  /** Numbers buckets from 1 again; for new streams only. */
  void restart() {
    numbers.clear();
    keys.clear();
    lastNumber = 0;
  }

  /** The demand as it is now, when only that of this region has been summed. */
  RegionReport report(List<Bucket> active, long configVersion, boolean urgent) {
    RegionReport.Builder report =
        RegionReport.newBuilder()
            .setSequence(++sequence)
            .setConfigVersion(configVersion)
            .setComplete(true)
            .setUrgent(urgent);
    for (Bucket bucket : active) {
      DomainDemand global = bucket.global();
      if (global != null && global.hasDemand()) {
        add(bucket, global, report);
      }
    }
    return report.build();
  }

  /** Adds the names of the report's buckets that are not in {@code named}, and puts them there. */
  void define(RegionReport report, BitSet named, RegionReport.Builder whole) {
    for (int row = 0; row < report.getBucketCount(); row++) {
      int number = report.getBucket(row);
      BucketKey key = keys.get(number);
      if (key != null && !named.get(number)) {
        named.set(number);
        whole.addDefine(
            BucketDefinition.newBuilder()
                .setId(number)
                .setService(key.service())
                .setRule(key.rule())
                .setCaller(key.caller())
                .setProcedure(key.procedure()));
      }
    }
  }

  private void add(Bucket bucket, DomainDemand global, RegionReport.Builder report) {
    int row = report.getBucketCount();
    report
        .addBucket(number(bucket.key()))
        .addOffered(global.offered())
        .addDropped(global.dropped())
        .addWouldDrop(global.wouldDrop())
        .addVariance(global.variance())
        .addHeld(global.held());
    // Levels are parts of all that is offered; what is held has the same mix as the rest.
    double reachable = global.offered() - global.held();
    double scale = reachable > 0 ? global.offered() / reachable : 0;
    for (int level = 0; level < Level.COUNT; level++) {
      double offered = scale * global.offered(level);
      if (offered > 0 && level != Level.UNSAID) {
        report.addLevel(LevelRate.newBuilder().setRow(row).setLevel(level).setOffered(offered));
      }
    }
  }

  private int number(BucketKey key) {
    return numbers.computeIfAbsent(
        key,
        added -> {
          lastNumber++;
          keys.put(lastNumber, added);
          return lastNumber;
        });
  }
}
