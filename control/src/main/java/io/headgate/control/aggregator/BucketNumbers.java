package io.headgate.control.aggregator;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The numbers that one stream has given to buckets, in the order in which it did. Senders that
 * count 1, 2, 3 need no map for it; others are served too.
 */
final class BucketNumbers {

  private static final int UNDEFINED = -1;

  private int[] buckets = new int[4];
  private int count;

  /** By slot; null as long as each number is its slot's, counted from 1. */
  private int @Nullable [] ids;

  private @Nullable Map<Integer, Integer> slots;

  /** How many are defined. */
  int count() {
    return count;
  }

  /** The number of the bucket that was defined at {@code slot}, from 0 to {@link #count()}. */
  int id(int slot) {
    return ids == null ? slot + 1 : ids[slot];
  }

  /** Its index in the {@link BucketTable}, or {@link BucketTable#NONE} if that had no room. */
  int bucket(int slot) {
    return buckets[slot];
  }

  /** Where {@code id} was defined, or -1 if it was not. */
  int slot(int id) {
    if (slots == null) {
      return id >= 1 && id <= count ? id - 1 : UNDEFINED;
    }
    return slots.getOrDefault(id, UNDEFINED);
  }

  /** Gives a number that is not in use to a bucket. */
  void define(int id, int bucket) {
    if (count == buckets.length) {
      buckets = Arrays.copyOf(buckets, count + Math.max(4, count / 2));
      ids = ids == null ? null : Arrays.copyOf(ids, buckets.length);
    }
    if (ids == null && id != count + 1) {
      keepIds();
    }
    buckets[count] = bucket;
    if (ids != null && slots != null) {
      ids[count] = id;
      slots.put(id, count);
    }
    count++;
  }

  /** Room for so many more, and for no others. */
  void expect(int more) {
    if (buckets.length < count + more) {
      buckets = Arrays.copyOf(buckets, count + more);
      ids = ids == null ? null : Arrays.copyOf(ids, buckets.length);
    }
  }

  private void keepIds() {
    int[] idOf = new int[buckets.length];
    Map<Integer, Integer> slotOf = new HashMap<>();
    for (int slot = 0; slot < count; slot++) {
      idOf[slot] = slot + 1;
      slotOf.put(slot + 1, slot);
    }
    ids = idOf;
    slots = slotOf;
  }
}
