package io.headgate.benchmarks.limiters;

import com.alibaba.csp.sentinel.Entry;
import com.alibaba.csp.sentinel.SphU;
import com.alibaba.csp.sentinel.slots.block.BlockException;
import com.alibaba.csp.sentinel.slots.block.flow.FlowRule;
import com.alibaba.csp.sentinel.slots.block.flow.FlowRuleManager;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.common.util.concurrent.RateLimiter;
import io.github.bucket4j.Bucket;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Other limiters, none of which is ever reached. For many keys each gets what their users put
 * around them: a Caffeine cache that is bounded and drops what is idle, as Headgate's own is.
 */
@SuppressWarnings("UnstableApiUsage") // A peer is measured as it is.
public class PeerLimiters {

  private static final long UNREACHABLE = 1_000_000_000;
  private static final Duration SECOND = Duration.ofSeconds(1);

  @State(Scope.Benchmark)
  public static class Bucket4j {

    private final Bucket one = bucket();
    private final Cache<String, Bucket> many = cache(key -> bucket());

    private static Bucket bucket() {
      return Bucket.builder()
          .addLimit(limit -> limit.capacity(UNREACHABLE).refillGreedy(UNREACHABLE, SECOND))
          .withNanosecondPrecision()
          .build();
    }
  }

  @State(Scope.Benchmark)
  public static class Resilience4j {

    private final io.github.resilience4j.ratelimiter.RateLimiter one = limiter("one");
    private final Cache<String, io.github.resilience4j.ratelimiter.RateLimiter> many =
        cache(Resilience4j::limiter);

    private static io.github.resilience4j.ratelimiter.RateLimiter limiter(String name) {
      return io.github.resilience4j.ratelimiter.RateLimiter.of(
          name,
          RateLimiterConfig.custom()
              .limitForPeriod((int) UNREACHABLE)
              .limitRefreshPeriod(SECOND)
              .timeoutDuration(Duration.ZERO)
              .build());
    }
  }

  @State(Scope.Benchmark)
  public static class Guava {

    private final RateLimiter one = RateLimiter.create(UNREACHABLE);
    private final Cache<String, RateLimiter> many = cache(key -> RateLimiter.create(UNREACHABLE));
  }

  /**
   * One resource with one rule. Sentinel logs to a directory of its own, which goes with the run.
   */
  @State(Scope.Benchmark)
  public static class Sentinel {

    private static final String RESOURCE = "transfers";

    @Setup
    public void rule() throws IOException {
      Path logs = Files.createTempDirectory("headgate-sentinel");
      removeAtTheEnd(logs);
      System.setProperty("csp.sentinel.log.dir", logs.toString());
      PrintStream out = System.out;
      System.setOut(new PrintStream(OutputStream.nullOutputStream())); // it prints its settings
      try {
        FlowRule rule = new FlowRule(RESOURCE);
        rule.setCount(UNREACHABLE);
        FlowRuleManager.loadRules(List.of(rule));
        SphU.entry(RESOURCE).exit();
      } catch (BlockException e) {
        throw new IllegalStateException(e);
      } finally {
        System.setOut(out);
      }
    }

    private static void removeAtTheEnd(Path directory) {
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    File[] files = directory.toFile().listFiles();
                    for (File file : files == null ? new File[0] : files) {
                      file.delete();
                    }
                    directory.toFile().delete();
                  }));
    }
  }

  private static <L> Cache<String, L> cache(Function<String, L> limiter) {
    Cache<String, L> cache =
        Caffeine.newBuilder()
            .maximumSize(2 * Keys.COUNT)
            .expireAfterAccess(Duration.ofMinutes(1))
            .executor(Runnable::run)
            .build();
    for (String key : Keys.all()) {
      cache.put(key, limiter.apply(key));
    }
    return cache;
  }

  @Benchmark
  public boolean bucket4j(Bucket4j state) {
    return state.one.tryConsume(1);
  }

  @Benchmark
  public boolean bucket4jKeys(Bucket4j state, Keys keys) {
    return state.many.get(keys.next(), key -> Bucket4j.bucket()).tryConsume(1);
  }

  @Benchmark
  public boolean resilience4j(Resilience4j state) {
    return state.one.acquirePermission();
  }

  @Benchmark
  public boolean resilience4jKeys(Resilience4j state, Keys keys) {
    return state.many.get(keys.next(), Resilience4j::limiter).acquirePermission();
  }

  @Benchmark
  public boolean guava(Guava state) {
    return state.one.tryAcquire();
  }

  @Benchmark
  public boolean guavaKeys(Guava state, Keys keys) {
    return state.many.get(keys.next(), key -> RateLimiter.create(UNREACHABLE)).tryAcquire();
  }

  @Benchmark
  public boolean sentinel(Sentinel state) {
    try (Entry entry = SphU.entry(Sentinel.RESOURCE)) {
      return true;
    } catch (BlockException e) {
      return false;
    }
  }
}
