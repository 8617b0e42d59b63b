package io.headgate.control.aggregator;

import io.headgate.core.rule.BucketKey;
import io.headgate.core.shed.Level;
import io.headgate.protocol.v1.BucketDefinition;
import io.headgate.protocol.v1.LevelCount;
import io.headgate.protocol.v1.RecentCount;
import io.headgate.protocol.v1.Report;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a report makes sense, before anything of it is used. Nothing that a client sends
 * can do more than be refused here.
 */
final class ReportCheck {

  private static final long MIN_ELAPSED_NANOS = 1_000_000;
  private static final long MAX_ELAPSED_NANOS = 3_600_000_000_000L;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int MAX_NAME_LENGTH = 512;

  private final AggregatorSettings settings;
  private final BucketTable table;

  private int[] bucketOfRow = new int[64];
  private long[] atDefaultLevel = new long[0];
  private int[] seenIn = new int[64];
  private int reports;

  ReportCheck(AggregatorSettings settings, BucketTable table) {
    this.settings = settings;
    this.table = table;
  }

  /** What is wrong with definitions, or null. */
  @Nullable Refusal definitions(List<BucketDefinition> definitions, BucketNumbers numbers) {
    int defined = definitions.size();
    if (defined == 0) {
      return null;
    }
    if (defined > settings.maxBucketsPerReport()) {
      return Refusal.TOO_MANY_ROWS;
    }
    if (numbers.count() + defined > settings.maxBucketsPerClient()) {
      return Refusal.TOO_MANY_BUCKETS;
    }
    Set<Integer> ids = new HashSet<>();
    for (BucketDefinition definition : definitions) {
      if (definition.getId() == 0
          || !ids.add(definition.getId())
          || !isName(definition.getService())
          || !isName(definition.getRule())
          || definition.getCaller().length() > MAX_NAME_LENGTH
          || definition.getProcedure().length() > MAX_NAME_LENGTH
          || isAnothers(definition, numbers)) {
        return Refusal.DEFINITION;
      }
    }
    return null;
  }

  /**
   * What is wrong with the counts of a report, or null. If nothing is, {@link #bucketOfRow()} is
   * about this report.
   *
   * @param numbers with the report's definitions
   */
  @Nullable Refusal counts(Report report, BucketNumbers numbers) {
    int rows = report.getBucketCount();
    long elapsedNanos = report.getElapsedNanos();
    if (rows > settings.maxBucketsPerReport()
        || report.getLevelCount() > (long) rows * Level.COUNT) {
      return Refusal.TOO_MANY_ROWS;
    }
    if (elapsedNanos < MIN_ELAPSED_NANOS || elapsedNanos > MAX_ELAPSED_NANOS) {
      return Refusal.ELAPSED;
    }
    if (!isColumn(report.getOfferedCount(), rows)
        || !isColumn(report.getDroppedCount(), rows)
        || !isColumn(report.getWouldDropCount(), rows)) {
      return Refusal.COLUMN_LENGTH;
    }
    Refusal ofRows = rows(report, maxCount(elapsedNanos));
    if (ofRows != null) {
      return ofRows;
    }
    Refusal ofBuckets = buckets(report, numbers);
    if (ofBuckets != null) {
      return ofBuckets;
    }
    Refusal ofLevels = levels(report);
    return ofLevels != null || report.getRecentCount() == 0 ? ofLevels : recents(report);
  }

  private @Nullable Refusal recents(Report report) {
    if (report.getRecentCount() > report.getBucketCount()) {
      return Refusal.RECENT;
    }
    BitSet seen = new BitSet();
    for (int i = 0; i < report.getRecentCount(); i++) {
      RecentCount recent = report.getRecent(i);
      int row = recent.getRow();
      if (row < 0
          || row >= report.getOfferedCount()
          || seen.get(row)
          || recent.getNanos() < MIN_ELAPSED_NANOS
          || recent.getNanos() > report.getElapsedNanos()
          || recent.getOffered() < 0
          || recent.getOffered() > report.getOffered(row)) {
        return Refusal.RECENT;
      }
      if (recent.getOffered() > maxCount(recent.getNanos())) {
        return Refusal.RATE;
      }
      seen.set(row);
    }
    return null;
  }

  /** The bucket index of each row of the report that was checked last. */
  int[] bucketOfRow() {
    return bucketOfRow;
  }

  private long maxCount(long elapsedNanos) {
    return (long) (settings.maxClientRatePerSecond() * (elapsedNanos / NANOS_PER_SECOND));
  }

  private static @Nullable Refusal rows(Report report, long maxCount) {
    boolean hasOffered = report.getOfferedCount() > 0;
    boolean hasDropped = report.getDroppedCount() > 0;
    boolean hasWouldDrop = report.getWouldDropCount() > 0;
    for (int row = 0; row < report.getBucketCount(); row++) {
      long offered = hasOffered ? report.getOffered(row) : 0;
      long dropped = hasDropped ? report.getDropped(row) : 0;
      long wouldDrop = hasWouldDrop ? report.getWouldDrop(row) : 0;
      if ((offered | dropped | wouldDrop) < 0) {
        return Refusal.NEGATIVE;
      }
      if (offered > maxCount) {
        return Refusal.RATE;
      }
      if (dropped > offered || wouldDrop > offered) {
        return Refusal.DROPPED_EXCEEDS_OFFERED;
      }
    }
    return null;
  }

  private @Nullable Refusal buckets(Report report, BucketNumbers numbers) {
    int rows = report.getBucketCount();
    if (bucketOfRow.length < rows) {
      bucketOfRow = new int[rows];
    }
    if (seenIn.length < table.end()) {
      seenIn = Arrays.copyOf(seenIn, Math.max(table.end(), 2 * seenIn.length));
    }
    reports++;
    for (int row = 0; row < rows; row++) {
      int slot = numbers.slot(report.getBucket(row));
      if (slot < 0) {
        return Refusal.UNDEFINED_BUCKET;
      }
      int bucket = numbers.bucket(slot);
      bucketOfRow[row] = bucket;
      if (bucket != BucketTable.NONE) {
        if (seenIn[bucket] == reports) {
          return Refusal.REPEATED_BUCKET;
        }
        seenIn[bucket] = reports;
      }
    }
    return null;
  }

  private @Nullable Refusal levels(Report report) {
    int entries = report.getLevelCount();
    if (entries == 0) {
      return null;
    }
    int rows = report.getBucketCount();
    if (report.getOfferedCount() == 0) {
      return Refusal.LEVEL;
    }
    if (atDefaultLevel.length < rows) {
      atDefaultLevel = new long[rows];
    }
    for (int row = 0; row < rows; row++) {
      atDefaultLevel[row] = report.getOffered(row);
    }
    for (int i = 0; i < entries; i++) {
      LevelCount entry = report.getLevel(i);
      int row = entry.getRow();
      if (entry.getOffered() < 0) {
        return Refusal.NEGATIVE;
      }
      if (row < 0
          || row >= rows
          || entry.getLevel() < 0
          || entry.getLevel() >= Level.COUNT
          || entry.getOffered() > atDefaultLevel[row]) {
        return Refusal.LEVEL;
      }
      atDefaultLevel[row] -= entry.getOffered();
    }
    return null;
  }

  /** Whether the number was given to another bucket before. */
  private boolean isAnothers(BucketDefinition definition, BucketNumbers numbers) {
    int slot = numbers.slot(definition.getId());
    if (slot < 0) {
      return false;
    }
    int bucket = numbers.bucket(slot);
    return bucket != BucketTable.NONE && !table.key(bucket).equals(key(definition));
  }

  static BucketKey key(BucketDefinition definition) {
    return new BucketKey(
        definition.getService(),
        definition.getRule(),
        definition.getCaller(),
        definition.getProcedure());
  }

  private static boolean isColumn(int entries, int rows) {
    return entries == 0 || entries == rows;
  }

  private static boolean isName(String name) {
    return !name.isEmpty() && name.length() <= MAX_NAME_LENGTH;
  }
}
