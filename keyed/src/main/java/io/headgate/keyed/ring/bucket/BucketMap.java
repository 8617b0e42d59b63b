package io.headgate.keyed.ring.bucket;

import io.headgate.core.hits.Behavior;
import io.headgate.core.hits.Bucket;
import io.headgate.core.hits.BucketState;
import io.headgate.core.hits.HitAnswer;
import io.headgate.core.hits.HitRequest;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The buckets of a node, bounded: the least recently used makes room. Safe for use by many threads;
 * requests for one key are counted one after the other.
 *
 * <p>It is divided into parts with a lock each, held for one decision. A small map is one part and
 * evicts exactly the least recently used of all.
 */
public final class BucketMap {

  private static final int MAX_PARTS = 64;
  private static final int MIN_PART_CAPACITY = 2_048;

  private final Part[] parts;
  private final BucketStore store;
  private final ZoneId zone;
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final LongAdder unexpiredEvictions = new LongAdder();

  /**
   * Creates an empty map.
   *
   * @param capacity buckets at most, 1 or more
   * @param zone whose calendar holds
   */
  public BucketMap(int capacity, BucketStore store, ZoneId zone) {
    if (capacity < 1) {
      throw new IllegalArgumentException("capacity: " + capacity + " (expected: 1 or more)");
    }
    this.store = store;
    this.zone = zone;
    int count =
        Math.min(MAX_PARTS, Math.max(1, Integer.highestOneBit(capacity / MIN_PART_CAPACITY)));
    parts = new Part[count];
    for (int i = 0; i < count; i++) {
      parts[i] = new Part((capacity + count - 1) / count);
    }
  }

  private static final class Part {
    final int capacity;
    final LinkedHashMap<HitKey, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true);

    Part(int capacity) {
      this.capacity = capacity;
    }
  }

  /** Whose calendar holds. */
  public ZoneId zone() {
    return zone;
  }

  private Part partOf(HitKey key) {
    int mixed = key.hashCode() * 0x9E3779B9; // the map below uses the low bits, so take high ones
    return parts[mixed >>> 16 & parts.length - 1];
  }

  /**
   * Counts hits if they are there.
   *
   * @throws io.headgate.core.hits.InvalidRequestException if no bucket can count them
   */
  public HitAnswer hit(HitKey key, HitRequest request, long nowMillis) {
    Part part = partOf(key);
    synchronized (part) {
      Bucket live = find(part, key, request, nowMillis);
      Bucket bucket = live != null ? live : Bucket.create(request, nowMillis, zone);
      HitAnswer answer =
          live != null
              ? live.hit(request, nowMillis, zone)
              : bucket.first(request, nowMillis, zone);
      keep(part, key, request, bucket, live == null, nowMillis);
      return answer;
    }
  }

  /**
   * Counts hits if they are there, unless it is too late for it.
   *
   * @param tooLate asked while nobody can take the bucket out
   * @return the answer, or null if it was too late
   * @throws io.headgate.core.hits.InvalidRequestException if no bucket can count them
   */
  public @Nullable HitAnswer hitUnless(
      BooleanSupplier tooLate, HitKey key, HitRequest request, long nowMillis) {
    Part part = partOf(key);
    synchronized (part) {
      return tooLate.getAsBoolean() ? null : hit(key, request, nowMillis);
    }
  }

  /**
   * Counts hits if there is a bucket for them.
   *
   * @return the answer, or null if there was none
   */
  public @Nullable HitAnswer hitIfPresent(HitKey key, HitRequest request, long nowMillis) {
    Part part = partOf(key);
    synchronized (part) {
      Bucket live = part.buckets.get(key);
      return live == null || live.isExpired(nowMillis) ? null : hit(key, request, nowMillis);
    }
  }

  /**
   * Counts hits that were admitted elsewhere, whether they are there or not. With {@link
   * Behavior#RESET_REMAINING} the bucket begins anew before.
   */
  public HitAnswer charge(HitKey key, HitRequest request, long nowMillis) {
    Part part = partOf(key);
    int rest = request.behavior() & ~Behavior.RESET_REMAINING;
    synchronized (part) {
      if (rest != request.behavior()) {
        part.buckets.remove(key);
        store.removed(key);
        if (request.hits() == 0) {
          return new HitAnswer(false, request.limit(), request.limit(), 0);
        }
      }
      Bucket live = find(part, key, request, nowMillis);
      Bucket bucket = live != null ? live : Bucket.create(request, nowMillis, zone);
      bucket.charge(request.with(request.hits(), rest), nowMillis, zone);
      HitAnswer answer = bucket.hit(request.with(0, rest), nowMillis, zone);
      keep(part, key, request, bucket, live == null, nowMillis);
      return answer;
    }
  }

  private @Nullable Bucket find(Part part, HitKey key, HitRequest request, long nowMillis) {
    Bucket bucket = part.buckets.get(key);
    if (bucket == null) {
      misses.increment();
      BucketState kept = store.get(key, request);
      if (kept != null) {
        bucket = Bucket.of(kept);
        put(part, key, bucket, nowMillis);
      }
    } else {
      hits.increment();
    }
    if (bucket != null && !bucket.isExpired(nowMillis)) {
      if (bucket.algorithm() == request.algorithm()) {
        return bucket;
      }
      store.removed(key);
    }
    return null;
  }

  private void keep(
      Part part, HitKey key, HitRequest request, Bucket bucket, boolean isNew, long nowMillis) {
    if (bucket.isDiscarded()) {
      part.buckets.remove(key);
      store.removed(key);
      return;
    }
    if (isNew) {
      put(part, key, bucket, nowMillis);
    }
    if (store != BucketStore.NONE) {
      store.changed(key, request, bucket.state());
    }
  }

  private void put(Part part, HitKey key, Bucket bucket, long nowMillis) {
    if (part.buckets.put(key, bucket) == null && part.buckets.size() > part.capacity) {
      var eldest = part.buckets.entrySet().iterator();
      if (!eldest.next().getValue().isExpired(nowMillis)) {
        unexpiredEvictions.increment();
      }
      eldest.remove();
    }
  }

  /** Whether there is a bucket of a key that is not expired. */
  public boolean contains(HitKey key, long nowMillis) {
    Part part = partOf(key);
    synchronized (part) {
      Bucket bucket = part.buckets.get(key);
      return bucket != null && !bucket.isExpired(nowMillis);
    }
  }

  /** The bucket of a key, or null if there is none that is not expired. */
  public @Nullable BucketState state(HitKey key, long nowMillis) {
    Part part = partOf(key);
    synchronized (part) {
      Bucket bucket = part.buckets.get(key);
      return bucket == null || bucket.isExpired(nowMillis) ? null : bucket.state();
    }
  }

  /** Takes in what a bucket elsewhere has used, in addition to what was used here. */
  public void merge(HitKey key, BucketState state, long nowMillis) {
    Part part = partOf(key);
    synchronized (part) {
      Bucket live = part.buckets.get(key);
      if (live == null || live.isExpired(nowMillis)) {
        put(part, key, Bucket.of(state), nowMillis);
      } else if (live.algorithm() == state.algorithm()) {
        live.merge(state);
      }
    }
  }

  /** Puts a bucket in the place of the one that is here. */
  public void replace(HitKey key, BucketState state, long nowMillis) {
    Part part = partOf(key);
    synchronized (part) {
      put(part, key, Bucket.of(state), nowMillis);
    }
  }

  /** Forgets a bucket. */
  public void remove(HitKey key) {
    Part part = partOf(key);
    synchronized (part) {
      part.buckets.remove(key);
    }
  }

  /** The keys of all buckets. */
  public List<HitKey> keys(Predicate<HitKey> filter) {
    List<HitKey> keys = new ArrayList<>();
    for (Part part : parts) {
      synchronized (part) {
        for (HitKey key : part.buckets.keySet()) {
          if (filter.test(key)) {
            keys.add(key);
          }
        }
      }
    }
    return keys;
  }

  /** Takes a bucket out; null if there is none that is not expired. */
  public @Nullable BucketState take(HitKey key, long nowMillis) {
    Part part = partOf(key);
    synchronized (part) {
      Bucket bucket = part.buckets.remove(key);
      return bucket == null || bucket.isExpired(nowMillis) ? null : bucket.state();
    }
  }

  /** All buckets that are not expired. */
  public List<BucketLoader.Entry> entries(long nowMillis) {
    List<BucketLoader.Entry> entries = new ArrayList<>();
    for (Part part : parts) {
      synchronized (part) {
        for (Map.Entry<HitKey, Bucket> entry : part.buckets.entrySet()) {
          if (!entry.getValue().isExpired(nowMillis)) {
            entries.add(new BucketLoader.Entry(entry.getKey(), entry.getValue().state()));
          }
        }
      }
    }
    return entries;
  }

  /** Buckets, the expired ones that nobody asked for since among them. */
  public int size() {
    int size = 0;
    for (Part part : parts) {
      synchronized (part) {
        size += part.buckets.size();
      }
    }
    return size;
  }

  /** Requests that found a bucket, expired or not. */
  public long hits() {
    return hits.sum();
  }

  /** Requests that found none. */
  public long misses() {
    return misses.sum();
  }

  /** Buckets that made room for others although they still counted. */
  public long unexpiredEvictions() {
    return unexpiredEvictions.sum();
  }
}
