package io.headgate.benchmarks.limiters;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.BucketProxy;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.headgate.benchmarks.Figure;
import io.headgate.core.limit.FixedWindow;
import io.headgate.core.limit.Limit;
import io.headgate.core.limit.SlidingCounter;
import io.headgate.core.limit.SlidingLog;
import io.headgate.core.limit.TokenBucket;
import io.headgate.keyed.NamedLimit;
import io.headgate.keyed.redis.OutagePolicy;
import io.headgate.keyed.redis.RedisKeyedLimiter;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** What is compared over one Redis: all of them hold a bucket that is never empty. */
final class RedisSubjects implements AutoCloseable {

  /** How one of them decides. */
  record Subject(String name, BooleanSupplier decision) {}

  private static final long UNREACHABLE = 1_000_000_000;
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final NamedLimit BUCKET =
      NamedLimit.of("bench", TokenBucket.of(UNREACHABLE, UNREACHABLE, SECOND));
  private static final int KEYS = 1000;

  private final RedisKeyedLimiter limiter;
  private final RedisClient client;
  private final StatefulRedisConnection<String, String> connection;
  private final List<Subject> all = new ArrayList<>();

  RedisSubjects(String uri) {
    limiter =
        RedisKeyedLimiter.builder()
            .redis(uri)
            .timeout(Duration.ofSeconds(5))
            .outagePolicy(OutagePolicy.CLOSED)
            .build();
    client = RedisClient.create(uri);
    connection = client.connect();
    all.add(
        new Subject(
            Figure.HEADGATE,
            () -> limiter.check(BUCKET, "hot", 1).toCompletableFuture().join().allowed()));
    all.add(new Subject("bare-evalsha", bare()));
    all.add(new Subject("bucket4j", bucket4j()));
  }

  List<Subject> all() {
    return all;
  }

  /** The same script by a plain command, which is as little as Lettuce can do. */
  private BooleanSupplier bare() {
    limiter.check(BUCKET, "hot", 1).toCompletableFuture().join();
    RedisAsyncCommands<String, String> commands = connection.async();
    String digest = connection.sync().scriptLoad(limiter.scriptOf(BUCKET));
    String[] keys = {"headgate:{bare}:bench"};
    String[] arguments = limiter.argumentsOf(BUCKET, 1);
    return () -> {
      List<Long> reply =
          commands
              .<List<Long>>evalsha(digest, ScriptOutputType.MULTI, keys, arguments)
              .toCompletableFuture()
              .join();
      return reply.get(0) == 1;
    };
  }

  private BooleanSupplier bucket4j() {
    BucketConfiguration configuration =
        BucketConfiguration.builder()
            .addLimit(limit -> limit.capacity(UNREACHABLE).refillGreedy(UNREACHABLE, SECOND))
            .build();
    BucketProxy bucket =
        Bucket4jLettuce.casBasedBuilder(client)
            .expirationAfterWrite(
                ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(SECOND))
            .build()
            .builder()
            .build("bucket4j".getBytes(UTF_8), () -> configuration);
    return () -> bucket.tryConsume(1);
  }

  /** What Redis says a key takes, with the limit all used. */
  List<Figure> memory() {
    Map<String, Limit> limits =
        Map.of(
            "flow", TokenBucket.of(100, 100, Duration.ofHours(1)),
            "fixed-window", new FixedWindow(100, Duration.ofHours(1)),
            "sliding-counter", new SlidingCounter(100, Duration.ofHours(1)),
            "sliding-log", new SlidingLog(100, Duration.ofHours(1)));
    List<Figure> figures = new ArrayList<>();
    limits.forEach(
        (name, limit) -> {
          NamedLimit named = NamedLimit.of("memory-" + name, limit);
          long bytes = 0;
          for (int key = 0; key < KEYS; key++) {
            for (int request = 0; request < 100; request++) {
              limiter.check(named, "customer-" + key, 1);
            }
            limiter.check(named, "customer-" + key, 0).toCompletableFuture().join();
            bytes +=
                connection.sync().memoryUsage("headgate:{customer-" + key + "}:" + named.name());
          }
          figures.add(
              new Figure(
                  "redis",
                  "100-taken/" + name,
                  Figure.HEADGATE,
                  "memory",
                  bytes / (double) KEYS,
                  null,
                  "B/key"));
        });
    return figures;
  }

  @Override
  public void close() {
    limiter.close();
    client.shutdown();
  }
}
