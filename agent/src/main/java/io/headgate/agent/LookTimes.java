package io.headgate.agent;

/**
 * When the last looks at demand were made: a ring of times, shared by all buckets. Confined to the
 * event loop.
 */
final class LookTimes {

  /** How many are kept; a power of two. */
  static final int KEPT = 16;

  private final long[] times = new long[KEPT];
  private int slot;
  private int sinceReport;

  /** A look is made now. */
  void add(long nowNanos) {
    slot = slot(-1);
    times[slot] = nowNanos;
    sinceReport++;
  }

  /** A report is made: looks before it are of no use. */
  void reported() {
    sinceReport = 0;
  }

  /** How many looks have been made since the last report; as many lie between now and it. */
  int sinceReport() {
    return sinceReport - 1;
  }

  /** The place of the latest look. */
  int slot() {
    return slot;
  }

  /** The place of the look so many before the latest. */
  int slot(int looksBack) {
    return (slot - looksBack) & (KEPT - 1);
  }

  /** When the latest look was made. */
  long nowNanos() {
    return times[slot];
  }

  /** How long ago that look was, seen from the latest. */
  long nanos(int looksBack) {
    return times[slot] - times[slot(looksBack)];
  }
}
