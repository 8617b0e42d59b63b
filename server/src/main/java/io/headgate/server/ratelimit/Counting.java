package io.headgate.server.ratelimit;

import io.headgate.keyed.KeyedLimiter;
import io.headgate.keyed.local.LocalKeyedLimiter;
import io.headgate.keyed.redis.RedisKeyedLimiter;
import io.headgate.server.keyed.KeyedServer;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * What counts the requests.
 *
 * @param limiter counts
 * @param nanoClock its clock
 * @param degraded whether its store is gone
 * @param close ends it
 */
record Counting(
    KeyedLimiter limiter, LongSupplier nanoClock, BooleanSupplier degraded, Runnable close) {

  /** Windows begin at multiples of their length on this clock: since 1970, UTC. */
  private static final LongSupplier TIME_OF_DAY =
      () -> TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());

  static Counting open(RateLimitSettings settings) {
    RedisSettings redis = settings.redis();
    if (redis != null) {
      RedisKeyedLimiter limiter =
          redis.open(settings.service().outagePolicy(), settings.service().answerWithin());
      return new Counting(limiter, System::nanoTime, limiter::isDegraded, limiter::close);
    }
    if (settings.ring() != null) {
      KeyedServer node = KeyedServer.start(settings.ring());
      return new Counting(node.limiter(), TIME_OF_DAY, () -> false, () -> drain(node));
    }
    LocalKeyedLimiter limiter =
        LocalKeyedLimiter.builder().nanoClock(TIME_OF_DAY).maxKeys(settings.maxKeys()).build();
    return new Counting(limiter, TIME_OF_DAY, () -> false, limiter::close);
  }

  private static void drain(KeyedServer node) {
    try {
      node.drain();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  boolean isDegraded() {
    return degraded.getAsBoolean();
  }

  void end() {
    close.run();
  }
}
