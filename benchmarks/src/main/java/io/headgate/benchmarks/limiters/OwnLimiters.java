package io.headgate.benchmarks.limiters;

import io.headgate.core.limit.FixedWindow;
import io.headgate.core.limit.Gcra;
import io.headgate.core.limit.Limit;
import io.headgate.core.limit.Limiter;
import io.headgate.core.limit.SegmentedWindow;
import io.headgate.core.limit.SlidingCounter;
import io.headgate.core.limit.SlidingLog;
import io.headgate.core.limit.TokenBucket;
import io.headgate.keyed.NamedLimit;
import io.headgate.keyed.local.LocalKeyedLimiter;
import java.time.Duration;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Headgate's limiters, none of which is ever reached. */
public class OwnLimiters {

  private static final Duration SECOND = Duration.ofSeconds(1);

  /** More than anybody can ask for in a second. */
  private static final long UNREACHABLE = 1_000_000_000;

  /** A log's window is short, so that its limit cannot be reached either. */
  private static final Duration LOG_WINDOW = Duration.ofMillis(1);

  /** One limiter. */
  @State(Scope.Benchmark)
  public static class One {

    @Param("token-bucket")
    private String algorithm;

    private Limiter limiter;

    @Setup
    public void make() {
      limiter = limit(algorithm).newLimiter(System.nanoTime());
    }
  }

  /** A limiter of many keys. */
  @State(Scope.Benchmark)
  public static class Many {

    @Param("token-bucket")
    private String algorithm;

    private final LocalKeyedLimiter limiter =
        LocalKeyedLimiter.builder().maxKeys(2 * Keys.COUNT).build();
    private NamedLimit limit;

    @Setup
    public void fill() {
      limit = NamedLimit.of("many", limit(algorithm));
      for (String key : Keys.all()) {
        limiter.tryAcquire(limit, key, 1);
      }
    }
  }

  /** One limiter that all threads ask. */
  @Benchmark
  public boolean one(One state) {
    return state.limiter.tryAcquire(1, System.nanoTime());
  }

  /** A limiter that is asked for any of many keys. */
  @Benchmark
  public boolean keys(Many state, Keys keys) {
    return state.limiter.tryAcquire(state.limit, keys.next(), 1);
  }

  private static Limit limit(String algorithm) {
    return switch (algorithm) {
      case "token-bucket" -> TokenBucket.of(UNREACHABLE, UNREACHABLE, SECOND);
      case "gcra" -> new Gcra(UNREACHABLE, SECOND, UNREACHABLE);
      case "fixed-window" -> new FixedWindow(UNREACHABLE, SECOND);
      case "sliding-log" -> new SlidingLog(SlidingLog.MAX_LIMIT, LOG_WINDOW);
      case "sliding-counter" -> new SlidingCounter(UNREACHABLE, SECOND);
      case "segmented" -> SegmentedWindow.of(UNREACHABLE, SECOND, 10);
      case "strict" -> SegmentedWindow.strict(UNREACHABLE, SECOND, 10);
      default -> throw new IllegalArgumentException(algorithm);
    };
  }
}
