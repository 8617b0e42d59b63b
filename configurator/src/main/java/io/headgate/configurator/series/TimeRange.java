package io.headgate.configurator.series;

import java.time.Instant;

/**
 * A part of time.
 *
 * @param fromSecond where it begins, in seconds since the epoch
 * @param toSecond where it ends; this second is not in it any more
 */
public record TimeRange(long fromSecond, long toSecond) {

  /**
   * @throws IllegalArgumentException if it ends before it begins
   */
  public TimeRange {
    if (toSecond < fromSecond) {
      throw new IllegalArgumentException(
          "time: "
              + Instant.ofEpochSecond(fromSecond)
              + " to "
              + Instant.ofEpochSecond(toSecond)
              + " (expected: an end that is not before the beginning)");
    }
  }

  /** How long it is. */
  public long seconds() {
    return toSecond - fromSecond;
  }

  /** Whether a second is in it. */
  public boolean contains(long second) {
    return second >= fromSecond && second < toSecond;
  }

  @Override
  public String toString() {
    return Instant.ofEpochSecond(fromSecond) + " to " + Instant.ofEpochSecond(toSecond);
  }
}
