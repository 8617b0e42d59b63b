package io.headgate.control.controller;

import io.headgate.core.rule.BucketKey;
import io.headgate.core.shed.Level;
import io.headgate.protocol.v1.BucketDefinition;
import io.headgate.protocol.v1.LevelRate;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rates that one stream has reported, in the numbering of that stream. A report is checked as a
 * whole before any of its rows is taken, so that a poisoned one changes nothing.
 */
final class RateTable {

  private static final double MAX_PER_SECOND = 1e12;
  private static final int MAX_NAME_LENGTH = 1024;

  /** Sums of parts may exceed the sum of the whole by what rounding adds. */
  private static final double ROUNDING = 1e-6;

  private final Buckets buckets;
  private final Refusals refusals;
  private final int maxId;

  private final Map<Bucket, Integer> idOf = new IdentityHashMap<>();
  private int lastId;
  private @Nullable Bucket[] bucketOf = new Bucket[16];
  private double[] offered = new double[16];
  private double[] dropped = new double[16];
  private double[] wouldDrop = new double[16];
  private double[] variance = new double[16];
  private double[] held = new double[16];
  private double[] @Nullable [] levels = new double[16][];

  /** The number of the report that had a row of the bucket last; tells a row that comes twice. */
  private int[] reportOf = new int[16];

  private int reports;
  private boolean exhausted;

  /**
   * An empty table.
   *
   * @param maxId the greatest number that the stream may give a bucket
   */
  RateTable(Buckets buckets, Refusals refusals, int maxId) {
    this.buckets = buckets;
    this.refusals = refusals;
    this.maxId = maxId;
  }

  /**
   * Takes a report.
   *
   * @return whether its rows were taken; those of unknown buckets are left out
   */
  boolean apply(RateReport report) {
    define(report.definitions());
    Refusal reason = check(report);
    if (reason != null) {
      refusals.count(reason);
      return false;
    }
    if (report.complete()) {
      Arrays.fill(offered, 0);
      Arrays.fill(dropped, 0);
      Arrays.fill(wouldDrop, 0);
      Arrays.fill(variance, 0);
      Arrays.fill(held, 0);
      Arrays.fill(levels, null);
    }
    int undefined = 0;
    int unknown = 0;
    for (int row = 0; row < report.rows(); row++) {
      int id = report.bucket(row);
      Bucket bucket = bucket(id);
      if (bucket == null) {
        undefined++;
        continue;
      }
      if (!bucket.hasRule()) {
        unknown++;
      }
      offered[id] = report.offered(row);
      dropped[id] = report.dropped(row);
      wouldDrop[id] = report.wouldDrop(row);
      variance[id] = report.variance(row);
      held[id] = Math.min(offered[id], report.held(row));
      levels[id] = null;
    }
    takeLevels(report);
    refusals.count(Refusal.UNDEFINED_BUCKET, undefined);
    refusals.count(Refusal.UNKNOWN_RULE, unknown);
    return true;
  }

  /** Takes names, also of a report whose rows do not count: the sender will not repeat them. */
  void define(List<BucketDefinition> definitions) {
    definitions.forEach(this::define);
  }

  /** The greatest number in use; 0 if there is none. */
  int lastId() {
    return lastId;
  }

  /** The bucket of a number, or null if it has none. */
  @Nullable Bucket bucket(int id) {
    return id >= 1 && id <= lastId ? bucketOf[id] : null;
  }

  /** Whether the bucket of a number has any rate. */
  boolean hasDemand(int id) {
    return offered[id] > 0 || dropped[id] > 0 || wouldDrop[id] > 0;
  }

  /** Whether the stream has used up its numbers; a new stream begins anew. */
  boolean isExhausted() {
    return exhausted;
  }

  double offered(int id) {
    return offered[id];
  }

  double dropped(int id) {
    return dropped[id];
  }

  double wouldDrop(int id) {
    return wouldDrop[id];
  }

  double variance(int id) {
    return variance[id];
  }

  /** Of what is offered, the demand of sources that cannot be told to shed. */
  double held(int id) {
    return held[id];
  }

  /**
   * The parts of a bucket's offered rate that are not at {@link Level#UNSAID}, by level; null if
   * there are none.
   */
  double @Nullable [] levels(int id) {
    return levels[id];
  }

  private void takeLevels(RateReport report) {
    List<LevelRate> entries = report.levels();
    for (int i = 0; i < entries.size(); i++) {
      LevelRate entry = entries.get(i);
      int id = report.bucket(entry.getRow());
      if (bucket(id) != null) {
        double[] parts = levels[id];
        if (parts == null) {
          parts = new double[Level.COUNT];
          levels[id] = parts;
        }
        parts[entry.getLevel()] += entry.getOffered();
      }
    }
  }

  private @Nullable Refusal check(RateReport report) {
    int rows = report.rows();
    reports++;
    if (!report.hasEvenColumns()) {
      return Refusal.COLUMN_LENGTH;
    }
    for (int row = 0; row < rows; row++) {
      if (!isRate(report.offered(row))
          || !isRate(report.dropped(row))
          || !isRate(report.wouldDrop(row))
          || !isRate(report.variance(row))
          || !isRate(report.held(row))) {
        return Refusal.BAD_NUMBER;
      }
      int id = report.bucket(row);
      if (bucket(id) != null) {
        if (reportOf[id] == reports) {
          return Refusal.REPEATED_BUCKET;
        }
        reportOf[id] = reports;
      }
    }
    return checkLevels(report);
  }

  private static @Nullable Refusal checkLevels(RateReport report) {
    List<LevelRate> entries = report.levels();
    if (entries.isEmpty()) {
      return null;
    }
    double[] ofRow = new double[report.rows()];
    for (int i = 0; i < entries.size(); i++) {
      LevelRate entry = entries.get(i);
      int row = entry.getRow();
      if (!isRate(entry.getOffered())) {
        return Refusal.BAD_NUMBER;
      }
      if (row < 0
          || row >= ofRow.length
          || entry.getLevel() < 0
          || entry.getLevel() >= Level.COUNT) {
        return Refusal.BAD_LEVEL;
      }
      ofRow[row] += entry.getOffered();
    }
    for (int row = 0; row < ofRow.length; row++) {
      if (ofRow[row] > report.offered(row) * (1 + ROUNDING) + ROUNDING) {
        return Refusal.BAD_LEVEL;
      }
    }
    return null;
  }

  /** Written so that what is not a number fails. */
  private static boolean isRate(double perSecond) {
    return perSecond >= 0 && perSecond <= MAX_PER_SECOND;
  }

  private void define(BucketDefinition definition) {
    int id = definition.getId();
    if (id > maxId || id < 0) {
      exhausted = true;
      refusals.count(Refusal.TOO_MANY_BUCKETS);
      return;
    }
    BucketKey key =
        new BucketKey(
            definition.getService(),
            definition.getRule(),
            definition.getCaller(),
            definition.getProcedure());
    Bucket known = bucket(id);
    if (known != null && known.key().equals(key)) {
      return;
    }
    if (id < 1 || known != null || !isShort(key)) {
      refusals.count(Refusal.BAD_DEFINITION);
      return;
    }
    // Even if there is no room for it: that nothing is in force for it is what the sender must
    // hear.
    makeRoom(id);
    lastId = Math.max(lastId, id);
    Bucket bucket = buckets.bucket(key);
    if (bucket == null) {
      refusals.count(Refusal.TOO_MANY_BUCKETS);
      return;
    }
    Integer before = idOf.put(bucket, id);
    if (before != null) {
      // The sender had forgotten the bucket and has begun anew with it.
      clear(before);
      bucketOf[before] = null;
    }
    bucketOf[id] = bucket;
  }

  private void clear(int id) {
    offered[id] = 0;
    dropped[id] = 0;
    wouldDrop[id] = 0;
    variance[id] = 0;
    held[id] = 0;
    levels[id] = null;
  }

  private static boolean isShort(BucketKey key) {
    return key.service().length() <= MAX_NAME_LENGTH
        && key.rule().length() <= MAX_NAME_LENGTH
        && key.caller().length() <= MAX_NAME_LENGTH
        && key.procedure().length() <= MAX_NAME_LENGTH;
  }

  private void makeRoom(int id) {
    if (id >= bucketOf.length) {
      int length = (int) Math.min(maxId + 1L, Math.max(id + 1L, 2L * bucketOf.length));
      bucketOf = Arrays.copyOf(bucketOf, length);
      offered = Arrays.copyOf(offered, length);
      dropped = Arrays.copyOf(dropped, length);
      wouldDrop = Arrays.copyOf(wouldDrop, length);
      variance = Arrays.copyOf(variance, length);
      held = Arrays.copyOf(held, length);
      levels = Arrays.copyOf(levels, length);
      reportOf = Arrays.copyOf(reportOf, length);
    }
  }
}
