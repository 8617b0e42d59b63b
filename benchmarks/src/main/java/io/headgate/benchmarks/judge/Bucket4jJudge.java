package io.headgate.benchmarks.judge;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.local.LocalBucketBuilder;
import java.time.Duration;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Bucket4j's local bucket as its builder makes it: lock-free, in nanosecond time. */
public class Bucket4jJudge {

  /** The fastest refill that Bucket4j takes, a token a nanosecond: nobody can exceed it. */
  private static final long UNREACHABLE_PER_SECOND = 1_000_000_000;

  /** What may pass at once: a share of a second that outlasts a pause of the machine. */
  private static final int BURSTS_PER_SECOND = 20;

  /** A bucket that never runs dry. */
  @State(Scope.Benchmark)
  public static class Unlimited {

    private final Bucket bucket = bucket(UNREACHABLE_PER_SECOND, 1);
  }

  /** A bucket with three limits, none of which is reached. */
  @State(Scope.Benchmark)
  public static class ThreeLimits {

    private final Bucket bucket = bucket(UNREACHABLE_PER_SECOND, 3);
  }

  /** A bucket that drops a share. */
  @State(Scope.Benchmark)
  public static class Limited {

    private Bucket bucket = bucket(UNREACHABLE_PER_SECOND, 1);

    /** Follows the pace. */
    @Setup(Level.Iteration)
    public void follow(Pace pace) {
      bucket = bucket((long) pace.limitPerSecond(), 1);
    }
  }

  /** Everything passes. */
  @Benchmark
  public void noDirective(Unlimited state, Answers answers, Pace pace) {
    answers.add(state.bucket.tryConsume(1));
  }

  /** A third is dropped. */
  @Benchmark
  public void directive(Limited state, Answers answers, Pace pace) {
    answers.add(state.bucket.tryConsume(1));
  }

  /** Three limits at once. */
  @Benchmark
  public void chainOf3(ThreeLimits state, Answers answers, Pace pace) {
    answers.add(state.bucket.tryConsume(1));
  }

  /** Equal limits but for their burst, because Bucket4j refuses the same twice. */
  private static Bucket bucket(long perSecond, int limits) {
    LocalBucketBuilder builder = Bucket.builder();
    for (int i = 0; i < limits; i++) {
      long burst = Math.max(1, perSecond / BURSTS_PER_SECOND) << i;
      builder.addLimit(
          limit ->
              limit
                  .capacity(burst)
                  .refillGreedy(perSecond, Duration.ofSeconds(1))
                  .initialTokens(0));
    }
    return builder.build();
  }
}
