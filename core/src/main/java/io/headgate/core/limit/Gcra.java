package io.headgate.core.limit;

import java.time.Duration;

/**
 * The generic cell rate algorithm (ITU-T I.371, as in redis-cell): requests are due at even spaces
 * of {@code period / permits}, and may come early by the space of {@code maxBurst} more.
 *
 * @param permits permits a period, 1 to 2<sup>53</sup> - 1
 * @param period the period, above 0, ten years at most
 * @param maxBurst permits that may come at once beyond the one that is due, 0 to 2<sup>53</sup> - 2
 */
public record Gcra(long permits, Duration period, long maxBurst) implements Limit {

  /**
   * @throws IllegalArgumentException if a number is out of range; the message names it
   */
  public Gcra {
    LimitBounds.permits("permits", permits);
    LimitBounds.time("period", period);
    LimitBounds.range("maxBurst", maxBurst, 0, LimitBounds.MAX_PERMITS - 1);
  }

  /** One more than {@link #maxBurst}. */
  @Override
  public long limit() {
    return maxBurst + 1;
  }

  @Override
  public long longestResetNanos() {
    return Flow.of(permits, period, limit()).fillNanos();
  }

  @Override
  public Limiter newLimiter(long nowNanos) {
    return Flow.of(permits, period, limit()).start(this, limit(), nowNanos);
  }
}
