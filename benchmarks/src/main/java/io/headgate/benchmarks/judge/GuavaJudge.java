package io.headgate.benchmarks.judge;

import com.google.common.util.concurrent.RateLimiter;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Guava's rate limiter, asked without waiting. */
public class GuavaJudge {

  private static final double UNREACHABLE_PER_SECOND = 1e9;

  /** A limiter that never runs dry. */
  @State(Scope.Benchmark)
  @SuppressWarnings("UnstableApiUsage") // A peer is measured as it is.
  public static class Unlimited {

    private final RateLimiter limiter = RateLimiter.create(UNREACHABLE_PER_SECOND);
  }

  /** A limiter that drops a share. */
  @State(Scope.Benchmark)
  @SuppressWarnings("UnstableApiUsage")
  public static class Limited {

    private final RateLimiter limiter = RateLimiter.create(UNREACHABLE_PER_SECOND);

    /** Follows the pace. */
    @Setup(Level.Iteration)
    public void follow(Pace pace) {
      limiter.setRate(pace.limitPerSecond());
    }
  }

  /** Everything passes. */
  @Benchmark
  public void noDirective(Unlimited state, Answers answers, Pace pace) {
    answers.add(state.limiter.tryAcquire());
  }

  /** A third is dropped. */
  @Benchmark
  public void directive(Limited state, Answers answers, Pace pace) {
    answers.add(state.limiter.tryAcquire());
  }
}
