package io.headgate.core.limit;

import java.time.Duration;

/**
 * A sliding window log: exact, at most {@code limit} permits in any window. It keeps the time of
 * every admitted request for a window, so memory a key grows with the limit.
 *
 * <p>A permit is counted for as long as it is younger than the window: one that is exactly a window
 * old no longer counts. What is denied is not counted.
 *
 * @param limit permits in any window, 1 to {@value #MAX_LIMIT}
 * @param window the window, above 0, ten years at most
 */
public record SlidingLog(long limit, Duration window) implements Limit {

  /** The largest limit, so that a key takes 16 MB at worst. */
  public static final long MAX_LIMIT = 1_000_000;

  /**
   * @throws IllegalArgumentException if a number is out of range; the message names it
   */
  public SlidingLog {
    LimitBounds.range("limit", limit, 1, MAX_LIMIT);
    LimitBounds.time("window", window);
  }

  @Override
  public long longestResetNanos() {
    return window.toNanos();
  }

  @Override
  public Limiter newLimiter(long nowNanos) {
    return new LogLimiter(this, window.toNanos(), 1, nowNanos);
  }
}
