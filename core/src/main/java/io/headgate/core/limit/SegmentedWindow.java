package io.headgate.core.limit;

import java.time.Duration;

/**
 * A sliding window of segments: permits come back when the segment in which they were taken leaves
 * the window.
 *
 * <p>Plain, it does what {@code SlidingWindowRateLimiter} of .NET does: a permit taken in a segment
 * comes back at the start of the segment {@code segmentsPerWindow} later, which is up to one
 * segment before it is a window old, so up to twice the limit can pass within one window. Strict,
 * the permits of a segment come back when the last of them is a window old, and no window ever
 * holds more than the limit.
 *
 * @param limit permits a window, 1 to 2<sup>53</sup> - 1
 * @param window the window, above 0, ten years at most
 * @param segmentsPerWindow segments in a window, 1 to 10,000; they must divide the window into
 *     whole nanoseconds
 * @param strict whether no window may hold more than the limit
 */
public record SegmentedWindow(long limit, Duration window, int segmentsPerWindow, boolean strict)
    implements Limit {

  private static final int MAX_SEGMENTS = 10_000;

  /**
   * @throws IllegalArgumentException if a number is out of range or the segments do not divide the
   *     window; the message names it
   */
  public SegmentedWindow {
    LimitBounds.permits("limit", limit);
    LimitBounds.time("window", window);
    LimitBounds.range("segmentsPerWindow", segmentsPerWindow, 1, MAX_SEGMENTS);
    if (window.toNanos() % segmentsPerWindow != 0) {
      throw new IllegalArgumentException(
          "segmentsPerWindow: "
              + segmentsPerWindow
              + " (expected: a divisor of the window, "
              + window.toNanos()
              + " ns)");
    }
  }

  /** A plain segmented window. */
  public static SegmentedWindow of(long limit, Duration window, int segmentsPerWindow) {
    return new SegmentedWindow(limit, window, segmentsPerWindow, false);
  }

  /** A segmented window that never holds more than the limit. */
  public static SegmentedWindow strict(long limit, Duration window, int segmentsPerWindow) {
    return new SegmentedWindow(limit, window, segmentsPerWindow, true);
  }

  long segmentNanos() {
    return window.toNanos() / segmentsPerWindow;
  }

  @Override
  public long longestResetNanos() {
    return window.toNanos();
  }

  @Override
  public Limiter newLimiter(long nowNanos) {
    return strict
        ? new LogLimiter(this, window.toNanos(), segmentNanos(), nowNanos)
        : new SegmentedLimiter(this, nowNanos);
  }
}
