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
  private int made;

  /** A look is made now. */
  void add(long nowNanos) {
    slot = slot(-1);
    times[slot] = nowNanos;
    sinceReport++;
    made = Math.min(made + 1, KEPT);
  }

  /** A report is made: looks before it are of no use. */
  void reported() {
    beginAnew();
  }

  /** No window of interest begins before the next look. */
  void beginAnew() {
    sinceReport = 0;
  }

  /** How many looks are kept. */
  int made() {
    return made;
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
