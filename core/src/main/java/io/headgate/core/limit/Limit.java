package io.headgate.core.limit;

/**
 * What one key may do: an algorithm with its numbers. Limits are values: equal numbers are equal
 * limits.
 */
public sealed interface Limit
    permits TokenBucket,
        LeakyBucket,
        Gcra,
        FixedWindow,
        SlidingLog,
        SlidingCounter,
        SegmentedWindow {

  /** The most permits that one request can ever take; from 1 to 2<sup>53</sup> - 1. */
  long limit();

  /** How long a key needs at most, once nobody asks, until all its permits are back, in ns. */
  long longestResetNanos();

  /**
   * The state of a key that was not seen before.
   *
   * @param nowNanos the time, in nanoseconds from an arbitrary origin, as all later calls give it
   */
  Limiter newLimiter(long nowNanos);
}
