package io.headgate.core.hits;

/** How hits are counted. */
public enum Algorithm {
  /** A window that starts with its first hit and is full again at its end. */
  TOKEN_BUCKET,

  /** A bucket that runs out at a constant rate of {@code limit} per {@code duration}. */
  LEAKY_BUCKET,

  /**
   * Two fixed windows, of which the earlier counts by the part of it that the sliding window still
   * covers.
   */
  SLIDING_WINDOW,

  /**
   * The generic cell rate algorithm of ATM: the rate of a leaky bucket, where a request for more
   * than there is never takes anything and the reset time is exact.
   */
  GCRA
}
