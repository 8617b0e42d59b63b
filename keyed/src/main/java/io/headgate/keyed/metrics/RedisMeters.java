package io.headgate.keyed.metrics;

import io.headgate.keyed.redis.RedisKeyedLimiter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * What a limiter over Redis knows of it: {@code headgate.keyed.redis.lost.states}, how often a key
 * was found without the state that it must have had, and {@code headgate.keyed.redis.degraded}, 1
 * while the outage policy answers.
 *
 * @param limiter the limiter
 */
public record RedisMeters(RedisKeyedLimiter limiter) implements MeterBinder {

  @Override
  public void bindTo(MeterRegistry registry) {
    FunctionCounter.builder(
            "headgate.keyed.redis.lost.states", limiter, RedisKeyedLimiter::lostStates)
        .description("States of keys that Redis had lost, of those that are watched")
        .register(registry);
    Gauge.builder("headgate.keyed.redis.degraded", limiter, each -> each.isDegraded() ? 1 : 0)
        .description("Whether Redis is taken as gone, so that the outage policy answers")
        .register(registry);
  }
}
