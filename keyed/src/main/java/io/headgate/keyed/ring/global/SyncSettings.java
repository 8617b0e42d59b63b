package io.headgate.keyed.ring.global;

import java.time.Duration;

/**
 * How nodes exchange what they have admitted.
 *
 * @param interval how long hits are gathered before they are sent on
 * @param timeout how long a peer has for its answer
 * @param batchLimit keys in a message at most, from 1 to 1,000
 */
public record SyncSettings(Duration interval, Duration timeout, int batchLimit) {

  private static final int MAX_BATCH = 1_000;

  /**
   * @throws IllegalArgumentException if a number is out of its range
   */
  public SyncSettings {
    if (interval.isNegative() || interval.isZero()) {
      throw new IllegalArgumentException("sync interval: " + interval + " (expected: more than 0)");
    }
    if (timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("timeout: " + timeout + " (expected: more than 0)");
    }
    if (batchLimit < 1 || batchLimit > MAX_BATCH) {
      throw new IllegalArgumentException(
          "batch limit: " + batchLimit + " (expected: 1 to " + MAX_BATCH + ")");
    }
  }
}
