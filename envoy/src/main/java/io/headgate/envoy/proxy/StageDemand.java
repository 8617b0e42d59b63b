package io.headgate.envoy.proxy;

import io.headgate.agent.RelayBucket;
import io.headgate.core.rule.Behavior;
import io.headgate.envoy.stage.Stage;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Says which bucket judged what of the calls that a proxy has counted. What is dropped at a stage
 * is known exactly; where several rules share a stage and so one ratio, it is divided among them as
 * if they had judged one after the other. Confined to its owner's loop.
 */
final class StageDemand {

  private final RandomGenerator random;
  private final BucketSums sums = new BucketSums();

  /** A divider that rounds at random, so that sums are right in the mean. */
  StageDemand(RandomGenerator random) {
    this.random = random;
  }

  /**
   * Adds the counts of a pair to those of its buckets.
   *
   * @param buckets those that judge the pair's calls, in an agent's order
   */
  void distribute(PairCounts counts, List<RelayBucket> buckets) {
    long left = counts.takeRequests();
    for (Stage stage : Stage.IN_ORDER) {
      long dropped = counts.takeDrops(stage);
      distribute(stage, left, dropped, buckets);
      left -= dropped;
    }
  }

  /** Gives what was added to the buckets. */
  void count() {
    sums.count();
  }

  /** Forgets what waits for buckets that are no more. */
  void forget() {
    sums.forget();
  }

  private void distribute(Stage stage, long offered, long dropped, List<RelayBucket> buckets) {
    double left = 1 - passing(stage, buckets);
    long leftDropped = dropped;
    long leftOffered = offered;
    double passing = 1;
    RelayBucket last = lastThatDrops(stage, buckets);
    for (RelayBucket bucket : buckets) {
      if (Stage.of(bucket.rule()) != stage) {
        continue;
      }
      double ratio = bucket.dropRatio();
      if (isShadow(bucket)) {
        sums.add(bucket, leftOffered, 0, Math.max(0, rounded(leftOffered * ratio)));
        continue;
      }
      // Of what this bucket and those after it drop, its own part.
      double own = passing * ratio;
      long ownDropped =
          bucket == last ? leftDropped : Math.min(leftDropped, part(leftDropped, own, left));
      sums.add(bucket, leftOffered, ownDropped, 0);
      leftOffered -= ownDropped;
      leftDropped -= ownDropped;
      left -= own;
      passing *= 1 - ratio;
    }
  }

  private long part(long dropped, double own, double whole) {
    return own > 0 && whole > 0 ? rounded(dropped * Math.min(1, own / whole)) : 0;
  }

  private long rounded(double number) {
    return (long) Math.floor(number + random.nextDouble());
  }

  /** The share that all rules of a stage let pass together. */
  static double passing(Stage stage, List<RelayBucket> buckets) {
    double passing = 1;
    for (RelayBucket bucket : buckets) {
      if (!isShadow(bucket) && Stage.of(bucket.rule()) == stage) {
        passing *= 1 - bucket.dropRatio();
      }
    }
    return passing;
  }

  /**
   * The last bucket of a stage that drops anything, or if none does now the last that could: its
   * ratio has just been cleared.
   */
  private static @Nullable RelayBucket lastThatDrops(Stage stage, List<RelayBucket> buckets) {
    RelayBucket last = null;
    for (RelayBucket bucket : buckets) {
      if (!isShadow(bucket)
          && Stage.of(bucket.rule()) == stage
          && (last == null || bucket.dropRatio() > 0 || last.dropRatio() == 0)) {
        last = bucket;
      }
    }
    return last;
  }

  private static boolean isShadow(RelayBucket bucket) {
    return bucket.rule().behavior() == Behavior.ALLOW;
  }
}
