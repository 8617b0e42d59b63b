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

  private int[] ids = new int[4];
  private int[] buckets = new int[4];
  private int count;
  private @Nullable Map<Integer, Integer> slots;

  /** How many are defined. */
  int count() {
    return count;
  }

  /** The number of the bucket that was defined at {@code slot}, from 0 to {@link #count()}. */
  int id(int slot) {
    return ids[slot];
  }

  /** Its index in the {@link BucketTable}, or {@link BucketTable#NONE} if that had no room. */
  int bucket(int slot) {
    return buckets[slot];
  }

  /** Where {@code id} was defined, or -1 if it was not. */
  int slot(int id) {
    int dense = id - 1;
    if (dense >= 0 && dense < count && ids[dense] == id) {
      return dense;
    }
    return slots == null ? UNDEFINED : slots.getOrDefault(id, UNDEFINED);
  }

  /** Gives a number that is not in use to a bucket. */
  void define(int id, int bucket) {
    if (count == ids.length) {
      ids = Arrays.copyOf(ids, 2 * count);
      buckets = Arrays.copyOf(buckets, 2 * count);
    }
    ids[count] = id;
    buckets[count] = bucket;
    if (id != count + 1) {
      if (slots == null) {
        slots = new HashMap<>();
      }
      slots.put(id, count);
    }
    count++;
  }
}
