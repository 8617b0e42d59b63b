package io.headgate.core.limit;

import java.time.Duration;

/**
 * A leaky bucket as a meter: each request pours its cost in, the bucket leaks at a constant rate,
 * and what would overflow is denied. A bucket of capacity 1 spaces requests evenly.
 *
 * <p>It admits what a greedy {@link TokenBucket} of the same capacity admits; what remains is the
 * room in the bucket.
 *
 * @param capacity what the bucket holds, 1 to 2<sup>53</sup> - 1
 * @param leak how much leaks each period, 1 to 2<sup>53</sup> - 1
 * @param period the period, above 0, ten years at most
 */
public record LeakyBucket(long capacity, long leak, Duration period) implements Limit {

  /**
   * @throws IllegalArgumentException if a number is out of range; the message names it
   */
  public LeakyBucket {
    LimitBounds.permits("capacity", capacity);
    LimitBounds.permits("leak", leak);
    LimitBounds.time("period", period);
  }

  @Override
  public long limit() {
    return capacity;
  }

  @Override
  public long longestResetNanos() {
    return Flow.of(leak, period, capacity).fillNanos();
  }

  @Override
  public Limiter newLimiter(long nowNanos) {
    return Flow.of(leak, period, capacity).start(this, capacity, nowNanos);
  }
}
