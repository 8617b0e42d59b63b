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

  /** So long that no key is dropped for being idle. */
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** The window of a log that is asked all the time, so that its limit cannot be reached either. */
  private static final Duration SHORT = Duration.ofMillis(1);

  /** More than anybody can ask for in a second. */
  private static final long UNREACHABLE = 1_000_000_000;

  /** One limiter. */
  @State(Scope.Benchmark)
  public static class One {

    @Param("token-bucket")
    private String algorithm;

    private Limiter limiter;

    @Setup
    public void make() {
      limiter = limit(algorithm, SECOND, SHORT).newLimiter(System.nanoTime());
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
      limit = NamedLimit.of("many", limit(algorithm, MINUTE, MINUTE));
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

  private static Limit limit(String algorithm, Duration window, Duration logWindow) {
    return switch (algorithm) {
      case "token-bucket" -> TokenBucket.of(UNREACHABLE, UNREACHABLE, window);
      case "gcra" -> new Gcra(UNREACHABLE, window, UNREACHABLE);
      case "fixed-window" -> new FixedWindow(UNREACHABLE, window);
      case "sliding-log" -> new SlidingLog(SlidingLog.MAX_LIMIT, logWindow);
      case "sliding-counter" -> new SlidingCounter(UNREACHABLE, window);
      case "segmented" -> SegmentedWindow.of(UNREACHABLE, window, 10);
      case "strict" -> SegmentedWindow.strict(UNREACHABLE, window, 10);
      default -> throw new IllegalArgumentException(algorithm);
    };
  }
}
