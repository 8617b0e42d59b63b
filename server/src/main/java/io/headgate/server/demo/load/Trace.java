package io.headgate.server.demo.load;

import java.util.Arrays;

/**
 * When requests came, as recorded.
 *
 * @param nanos times from the first request on, ascending; two at least, not all the same. The
 *     array is kept.
 */
@SuppressWarnings("ArrayRecordComponent") // Millions of times; compared nowhere.
public record Trace(long[] nanos) {

  private static final double NANOS_PER_SECOND = 1e9;

  /** A trace from times in any order, from any origin. */
  static Trace of(long[] times) {
    long[] nanos = times.clone();
    Arrays.sort(nanos);
    long origin = nanos[0];
    for (int i = 0; i < nanos.length; i++) {
      nanos[i] -= origin;
    }
    return new Trace(nanos);
  }

  /** How many requests. */
  public int size() {
    return nanos.length;
  }

  /** From the first request to the last. */
  public double durationSeconds() {
    return nanos[nanos.length - 1] / NANOS_PER_SECOND;
  }

  /** Requests a second on average. */
  public double meanPerSecond() {
    return (nanos.length - 1) / durationSeconds();
  }
}
