package io.headgate.benchmarks.judge;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.time.Duration;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Resilience4j's default rate limiter, the atomic one, asked without waiting. */
public class Resilience4jJudge {

  private static final Duration CYCLE = Duration.ofMillis(50);
  private static final double CYCLES_PER_SECOND = 20;

  /** A limiter that never runs dry. */
  @State(Scope.Benchmark)
  public static class Unlimited {

    private final RateLimiter limiter = limiter(Integer.MAX_VALUE);
  }

  /** A limiter that drops a share. */
  @State(Scope.Benchmark)
  public static class Limited {

    private RateLimiter limiter = limiter(Integer.MAX_VALUE);

    /** Follows the pace. */
    @Setup(Level.Iteration)
    public void follow(Pace pace) {
      limiter = limiter((int) (pace.limitPerSecond() / CYCLES_PER_SECOND));
    }
  }

  /** Everything passes. */
  @Benchmark
  public void noDirective(Unlimited state, Answers answers, Pace pace) {
    answers.add(state.limiter.acquirePermission());
  }

  /** A third is dropped. */
  @Benchmark
  public void directive(Limited state, Answers answers, Pace pace) {
    answers.add(state.limiter.acquirePermission());
  }

  private static RateLimiter limiter(int permitsPerCycle) {
    return RateLimiter.of(
        "benchmark",
        RateLimiterConfig.custom()
            .timeoutDuration(Duration.ZERO)
            .limitRefreshPeriod(CYCLE)
            .limitForPeriod(Math.max(1, permitsPerCycle))
            .build());
  }
}
