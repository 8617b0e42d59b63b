package io.headgate.core.limit;

import java.time.Duration;

/**
 * A fixed window: at most {@code limit} permits from one multiple of the window to the next, on the
 * clock that is passed in.
 *
 * <p>Twice the limit can pass within an instant, at the end of one window and the start of the
 * next.
 *
 * @param limit permits a window, 1 to 2<sup>53</sup> - 1
 * @param window the window, above 0, ten years at most
 */
public record FixedWindow(long limit, Duration window) implements Limit {

  /**
   * @throws IllegalArgumentException if a number is out of range; the message names it
   */
  public FixedWindow {
    LimitBounds.permits("limit", limit);
    LimitBounds.time("window", window);
  }

  @Override
  public long longestResetNanos() {
    return window.toNanos();
  }

  @Override
  public Limiter newLimiter(long nowNanos) {
    return new FixedWindowLimiter(this, nowNanos);
  }
}
