package io.headgate.spring;

import io.headgate.keyed.KeyedLimiter;
import io.headgate.keyed.KeyedListener;
import io.headgate.keyed.redis.RedisKeyedLimiter;
import io.headgate.keyed.redis.RedisKeyedLimiterBuilder;

/** Kept apart, so that an application without Lettuce loads none of it. */
final class RedisLimiters {

  private RedisLimiters() {}

  static KeyedLimiter of(KeyedProperties.Redis redis, long maxKeys, KeyedListener listener) {
    RedisKeyedLimiterBuilder builder =
        RedisKeyedLimiter.builder()
            .timeout(redis.timeout())
            .outagePolicy(redis.outagePolicy())
            .knownReplicas(redis.knownReplicas())
            .rememberedKeys(redis.rememberedKeys())
            .maxLocalKeys(maxKeys)
            .listener(listener);
    if (redis.cluster().isEmpty()) {
      builder.redis(redis.uri());
    } else {
      builder.cluster(redis.cluster());
    }
    return builder.build();
  }
}
