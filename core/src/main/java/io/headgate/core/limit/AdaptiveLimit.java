package io.headgate.core.limit;

import java.time.Duration;

/**
 * Between what bounds an {@link AdaptiveConcurrencyLimiter} looks for its limit, and how.
 *
 * @param least the lowest limit, 1 or more
 * @param most the highest limit
 * @param initial the limit to begin with
 * @param tolerance how many times their usual time requests may take before the limit falls, from
 *     1; 1.5 is a good value where times scatter
 * @param relearn how often the usual time is learned anew, with few requests at the same time
 */
public record AdaptiveLimit(
    long least, long most, long initial, double tolerance, Duration relearn) {

  /** The same range for all services: 1 to 1000, from 20 on. */
  public static final AdaptiveLimit DEFAULT =
      new AdaptiveLimit(1, 1000, 20, 1.5, Duration.ofMinutes(1));

  /**
   * @throws IllegalArgumentException if a value is out of its range
   */
  public AdaptiveLimit {
    LimitBounds.permits("most", most);
    LimitBounds.range("least", least, 1, most);
    LimitBounds.range("initial", initial, least, most);
    LimitBounds.time("relearn", relearn);
    if (!(tolerance >= 1 && tolerance <= 100)) {
      throw new IllegalArgumentException("tolerance: " + tolerance + " (expected: 1 to 100)");
    }
  }
}
