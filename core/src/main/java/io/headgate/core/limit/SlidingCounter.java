package io.headgate.core.limit;

import java.time.Duration;

/**
 * A sliding window counter: the count of the current window, plus that of the one before weighted
 * by how much of it the sliding window still covers. Cloudflare described it in 2017 ("How we built
 * rate limiting capable of scaling to millions of domains").
 *
 * <p>It takes the requests of the window before as evenly spread. Where they all came at its end,
 * close to twice the limit can pass within one window.
 *
 * @param limit permits in a window, 1 to 2<sup>53</sup> - 1
 * @param window the window, above 0, ten years at most
 */
public record SlidingCounter(long limit, Duration window) implements Limit {

  /**
   * @throws IllegalArgumentException if a number is out of range; the message names it
   */
  public SlidingCounter {
    LimitBounds.permits("limit", limit);
    LimitBounds.time("window", window);
  }

  @Override
  public long longestResetNanos() {
    return 2 * window.toNanos();
  }

  @Override
  public Limiter newLimiter(long nowNanos) {
    return new CounterLimiter(this, nowNanos);
  }
}
