package io.headgate.core.limit;

import java.time.Duration;

/**
 * A token bucket: a request takes tokens, and tokens come back over time up to the capacity.
 *
 * <p>A full bucket lets its capacity pass at once and its refill on top, so that {@code capacity +
 * refillTokens} pass within one period at most. A full bucket of 100 with 100 tokens a minute
 * admits 200 in a closed minute; where that is too much, see {@link SlidingLog} or a strict {@link
 * SegmentedWindow}.
 *
 * @param capacity the most tokens the bucket holds, 1 to 2<sup>53</sup> - 1
 * @param refillTokens tokens that come back each period, 1 to 2<sup>53</sup> - 1
 * @param refillPeriod the period, above 0, ten years at most
 * @param refill whether tokens come back one by one or a period's at once
 * @param initialTokens tokens in the bucket of a new key, 0 to the capacity
 */
public record TokenBucket(
    long capacity, long refillTokens, Duration refillPeriod, Refill refill, long initialTokens)
    implements Limit {

  /**
   * @throws IllegalArgumentException if a number is out of range; the message names it
   */
  public TokenBucket {
    LimitBounds.permits("capacity", capacity);
    LimitBounds.permits("refillTokens", refillTokens);
    LimitBounds.time("refillPeriod", refillPeriod);
    LimitBounds.range("initialTokens", initialTokens, 0, capacity);
  }

  /** A bucket that starts full and is refilled evenly, at {@code tokens} a {@code period}. */
  public static TokenBucket of(long capacity, long tokens, Duration period) {
    return new TokenBucket(capacity, tokens, period, Refill.GREEDY, capacity);
  }

  /** A bucket that starts full and gets {@code tokens} at the end of each {@code period}. */
  public static TokenBucket interval(long capacity, long tokens, Duration period) {
    return new TokenBucket(capacity, tokens, period, Refill.INTERVAL, capacity);
  }

  /** The same bucket with another fill for new keys. */
  public TokenBucket withInitialTokens(long tokens) {
    return new TokenBucket(capacity, refillTokens, refillPeriod, refill, tokens);
  }

  @Override
  public long limit() {
    return capacity;
  }

  @Override
  public long longestResetNanos() {
    if (refill == Refill.GREEDY) {
      return Flow.of(refillTokens, refillPeriod, capacity).fillNanos();
    }
    long periods = (capacity - 1) / refillTokens + 1;
    return WideMath.multiplyAddDivide(periods, refillPeriod.toNanos(), 0, 1);
  }

  @Override
  public Limiter newLimiter(long nowNanos) {
    return refill == Refill.INTERVAL
        ? new IntervalLimiter(this, nowNanos)
        : Flow.of(refillTokens, refillPeriod, capacity).start(this, initialTokens, nowNanos);
  }
}
