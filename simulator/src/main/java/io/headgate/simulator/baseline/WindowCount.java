package io.headgate.simulator.baseline;

/**
 * Counts in windows of a second that begin with full seconds. What comes late still counts in its
 * own window, unless that is two windows back.
 */
final class WindowCount {

  static final long WINDOW_NANOS = 1_000_000_000;

  private final long[] windows = new long[2];
  private final double[] counts = new double[2];

  /** The number of the window of a time. */
  static long window(long nanos) {
    return Math.floorDiv(nanos, WINDOW_NANOS);
  }

  /** Adds to a window and returns its count with what was added; what is too late is not kept. */
  double add(long window, double added) {
    int slot = (int) (window & 1);
    if (window < windows[slot]) {
      return added;
    }
    if (window > windows[slot]) {
      windows[slot] = window;
      counts[slot] = 0;
    }
    counts[slot] += added;
    return counts[slot];
  }
}
