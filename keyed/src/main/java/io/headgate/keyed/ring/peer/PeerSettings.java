package io.headgate.keyed.ring.peer;

import java.time.Duration;

/**
 * How a node calls its peers.
 *
 * @param batchLimit requests in a batch at most, from 1 to 1,000
 * @param batchWait how long a request waits for others while a batch is under way, twice as long
 *     while two are, and so on up to 32 times; it does not wait if none is
 * @param timeout how long a peer has for its answer, a second try included
 */
public record PeerSettings(int batchLimit, Duration batchWait, Duration timeout) {

  /** The most requests that a call may hold. */
  public static final int MAX_BATCH = 1_000;

  /**
   * @throws IllegalArgumentException if a number is out of its range
   */
  public PeerSettings {
    if (batchLimit < 1 || batchLimit > MAX_BATCH) {
      throw new IllegalArgumentException(
          "batch limit: " + batchLimit + " (expected: 1 to " + MAX_BATCH + ")");
    }
    if (batchWait.isNegative()) {
      throw new IllegalArgumentException("batch wait: " + batchWait + " (expected: 0 or more)");
    }
    if (timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("timeout: " + timeout + " (expected: more than 0)");
    }
  }
}
