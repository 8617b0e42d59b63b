package io.headgate.control.aggregator;

/**
 * Whether an aggregator keeps up, by its ticks: how late they come shows how much work waits before
 * them, how long they take shows how much they leave for other work.
 *
 * <p>While it does not keep up it asks its clients for fewer reports: one in two intervals at
 * first, one more interval each time that was not enough, up to five. It goes back the same way,
 * and more slowly, so that it does not swing between the two. One late tick means nothing: it may
 * be a pause of the whole process.
 */
final class Overload {

  /** A tick that takes this part of the interval, its delay included, shows an overload. */
  private static final double HEAVY = 0.25;

  /** One that takes less than this part shows that there is room for more. */
  private static final double LIGHT = 0.1;

  private static final int HEAVY_TICKS = 2;
  private static final int LIGHT_TICKS = 5;

  private static final int MOST_INTERVALS = 5;

  private final long intervalNanos;
  private int intervals = 1;
  private int heavyTicks;
  private int lightTicks;

  Overload(long intervalNanos) {
    this.intervalNanos = intervalNanos;
  }

  /**
   * Takes a tick into account.
   *
   * @param lateNanos how late it came
   * @param tookNanos how long it took
   * @return whether clients are to report more or less often from now on
   */
  boolean tick(long lateNanos, long tookNanos) {
    double part = (double) (Math.max(0, lateNanos) + tookNanos) / intervalNanos;
    heavyTicks = part >= HEAVY ? heavyTicks + 1 : 0;
    lightTicks = part < LIGHT ? lightTicks + 1 : 0;
    if (heavyTicks == HEAVY_TICKS) {
      heavyTicks = 0;
      return change(Math.min(MOST_INTERVALS, intervals + 1));
    }
    if (lightTicks == LIGHT_TICKS) {
      lightTicks = 0;
      return change(Math.max(1, intervals - 1));
    }
    return false;
  }

  private boolean change(int next) {
    boolean changed = next != intervals;
    intervals = next;
    return changed;
  }

  /** Whether it does not keep up. */
  boolean isOverloaded() {
    return intervals > 1;
  }

  /** In how many intervals clients are to report once; 1 as usual. */
  int intervals() {
    return intervals;
  }

  /** How often clients are asked to report at most, in milliseconds; 0 for as usual. */
  int slowDownMillis() {
    return isOverloaded() ? (int) (intervals * intervalNanos / 1_000_000) : 0;
  }
}
