package io.headgate.control.aggregator;

import io.headgate.core.rule.BucketKey;
import io.headgate.core.shed.Level;
import io.headgate.protocol.v1.BucketDefinition;
import io.headgate.protocol.v1.LevelRate;
import io.headgate.protocol.v1.ZoneMessage;
import io.headgate.protocol.v1.ZoneReport;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Writes the sums as reports on one stream to a controller, and keeps the numbers that it gave to
 * buckets there. A report that would be too large for one message goes out in parts; the receiver
 * never sees a part that takes demand away which still exists.
 */
final class ZoneReportWriter {

  private static final int MAX_ROWS = 10_000;
  private static final int MAX_NAME_CHARACTERS = 1_000_000;

  /** No sum may be so great that a controller refuses the report, and with it all others. */
  private static final double MAX_PER_SECOND = 1e12;

  /** Numbers are never used again on a stream; this many call for a new stream. */
  private static final int MAX_NUMBERS = 500_000;

  private final BucketTable table;
  private int[] numbers = new int[64];
  private int[] buckets = new int[64];
  private int lastNumber;
  private final BitSet told = new BitSet();
  private final List<Integer> orphans = new ArrayList<>();
  private long sequence;
  private int toldAsking;

  private ZoneReport.Builder part = ZoneReport.newBuilder();
  private int nameCharacters;

  ZoneReportWriter(BucketTable table) {
    this.table = table;
  }

  /** The bucket of a number, or {@link BucketTable#NONE}. */
  int bucket(int number) {
    return number >= 1 && number <= lastNumber ? buckets[number] : BucketTable.NONE;
  }

  /** The greatest number that was given; 0 if there is none. */
  int lastNumber() {
    return lastNumber;
  }

  /** Whether it is time for a new stream. */
  boolean isExhausted() {
    return lastNumber >= MAX_NUMBERS;
  }

  /** The bucket's index is about to mean another bucket. */
  void forget(int bucket) {
    if (bucket >= numbers.length || numbers[bucket] == 0) {
      return;
    }
    if (told.get(bucket)) {
      told.clear(bucket);
      orphans.add(numbers[bucket]);
    }
    buckets[numbers[bucket]] = BucketTable.NONE;
    numbers[bucket] = 0;
  }

  /**
   * The sums as they are now, in one message or more; none if there is nothing to say.
   *
   * @param asking how many clients have asked what is in force and have not reported yet
   * @param urgent whether it goes out between the intervals; then only demand that is news, or was
   *     never told on this stream, is in it
   * @param news whether a bucket's demand is news
   */
  List<ZoneMessage> write(
      ZoneSums sums,
      long configVersion,
      int clients,
      int asking,
      boolean urgent,
      IntPredicate news) {
    List<ZoneReport.Builder> parts = new ArrayList<>();
    startPart();
    for (int orphan : orphans) {
      addRow(orphan, 0, 0, 0, 0);
    }
    orphans.clear();
    for (int bucket = 0; bucket < table.end(); bucket++) {
      boolean hasDemand = sums.offered(bucket) > 0 && table.rule(bucket) != null;
      boolean isAsked = !hasDemand && table.isAsked(bucket) && !isNumbered(bucket);
      if (hasDemand
          ? urgent && told.get(bucket) && !news.test(bucket)
          : !told.get(bucket) && !isAsked) {
        continue;
      }
      if (part.getBucketCount() >= MAX_ROWS || nameCharacters >= MAX_NAME_CHARACTERS) {
        parts.add(part);
        startPart();
      }
      if (hasDemand) {
        addDemand(bucket, sums);
      } else {
        addRow(number(bucket), 0, 0, 0, 0);
      }
      told.set(bucket, hasDemand);
    }
    if (!urgent || part.getBucketCount() > 0 || asking != toldAsking) {
      parts.add(part);
    }
    List<ZoneMessage> messages = new ArrayList<>(parts.size());
    for (ZoneReport.Builder each : parts) {
      each.setSequence(++sequence)
          .setConfigVersion(configVersion)
          .setClients(clients)
          .setAsking(asking)
          .setComplete(parts.size() == 1 && !urgent)
          .setUrgent(urgent);
      messages.add(ZoneMessage.newBuilder().setReport(each).build());
    }
    toldAsking = asking;
    startPart();
    return messages;
  }

  private void startPart() {
    part = ZoneReport.newBuilder();
    nameCharacters = 0;
  }

  private void addDemand(int bucket, ZoneSums sums) {
    int row = part.getBucketCount();
    double share = Math.min(1, MAX_PER_SECOND / sums.offered(bucket));
    addRow(
        number(bucket),
        share * sums.offered(bucket),
        Math.min(MAX_PER_SECOND, sums.variance(bucket)),
        share * sums.dropped(bucket),
        share * sums.wouldDrop(bucket));
    if (!sums.hasLevels()) {
      return;
    }
    for (int level = 0; level < Level.COUNT; level++) {
      double offered = sums.level(bucket, level);
      if (offered > 0) {
        part.addLevel(
            LevelRate.newBuilder().setRow(row).setLevel(level).setOffered(share * offered));
      }
    }
  }

  private void addRow(
      int number, double offered, double variance, double dropped, double wouldDrop) {
    part.addBucket(number)
        .addOffered(offered)
        .addVariance(variance)
        .addDropped(dropped)
        .addWouldDrop(wouldDrop);
  }

  private boolean isNumbered(int bucket) {
    return bucket < numbers.length && numbers[bucket] != 0;
  }

  private int number(int bucket) {
    if (bucket >= numbers.length) {
      int capacity = Math.max(bucket + 1, 2 * numbers.length);
      numbers = Arrays.copyOf(numbers, capacity);
    }
    if (numbers[bucket] == 0) {
      numbers[bucket] = define(bucket);
    }
    return numbers[bucket];
  }

  private int define(int bucket) {
    int number = ++lastNumber;
    if (number == buckets.length) {
      buckets = Arrays.copyOf(buckets, 2 * buckets.length);
    }
    buckets[number] = bucket;
    BucketKey key = table.key(bucket);
    part.addDefine(
        BucketDefinition.newBuilder()
            .setId(number)
            .setService(key.service())
            .setRule(key.rule())
            .setCaller(key.caller())
            .setProcedure(key.procedure()));
    nameCharacters +=
        key.service().length()
            + key.rule().length()
            + key.caller().length()
            + key.procedure().length();
    return number;
  }
}
