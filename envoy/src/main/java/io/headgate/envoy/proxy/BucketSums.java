package io.headgate.envoy.proxy;

import io.headgate.agent.RelayBucket;
import java.util.HashMap;
import java.util.Map;

/**
 * What the buckets of a proxy judged in one flush. A proxy counts a call when it begins and its
 * drop a moment later, so that the two may be on different sides of a flush; what is dropped of
 * more than is offered waits for the next one. Confined to its owner's loop.
 */
final class BucketSums {

  private static final class Sum {

    private long offered;
    private long dropped;
    private long wouldDrop;
  }

  private final Map<RelayBucket, Sum> sums = new HashMap<>();

  /**
   * Adds what a bucket judged.
   *
   * @param offered may be less than 0 where a drop that was not known takes away from what was
   *     offered before
   */
  void add(RelayBucket bucket, long offered, long dropped, long wouldDrop) {
    Sum sum = sums.computeIfAbsent(bucket, made -> new Sum());
    sum.offered += offered;
    sum.dropped += dropped;
    sum.wouldDrop += wouldDrop;
  }

  /** Gives the sums to the buckets. */
  void count() {
    sums.entrySet().removeIf(entry -> count(entry.getKey(), entry.getValue()));
  }

  /** Gives a sum to its bucket as far as it goes, and says whether nothing is left of it. */
  private static boolean count(RelayBucket bucket, Sum sum) {
    long offered = Math.max(0, sum.offered);
    long dropped = Math.min(sum.dropped, offered);
    long wouldDrop = Math.min(sum.wouldDrop, offered - dropped);
    bucket.count(offered - dropped - wouldDrop, dropped, wouldDrop);
    sum.offered -= offered;
    sum.dropped -= dropped;
    sum.wouldDrop -= wouldDrop;
    return sum.offered == 0 && sum.dropped == 0 && sum.wouldDrop == 0;
  }

  /** Forgets what waits for buckets that are no more. */
  void forget() {
    sums.clear();
  }
}
