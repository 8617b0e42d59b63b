package io.headgate.control.controller;

/**
 * Whether a controller has heard enough to judge.
 *
 * <p>One that has just started sees a part of the demand, or none. A directive computed from that
 * would let everything pass, so it sends none until it has heard a full interval from nearly all
 * aggregators and from the other regions, or has waited long enough. The same holds when it has
 * lost all aggregators. Doorman has the same idea as its learning mode.
 *
 * <p>Other regions are told what is known of the lost until they are back or forgotten: their hosts
 * go on, and the others make room for them.
 */
final class Learning {

  /** The share of the aggregators that must have been heard. */
  private static final double ENOUGH = 0.9;

  /**
   * What has been heard of the region's aggregators.
   *
   * @param connected how many are connected
   * @param heard of these, from how many a full interval has been heard
   * @param clients how many clients they hear together
   * @param sources how many have demand that counts: those that report, and those lately lost
   * @param known whether all demand is known, though it may be that of zones lost long ago
   */
  record Census(int connected, int heard, long clients, int sources, boolean known) {}

  private final long maxNanos;
  private final int expected;
  private boolean lostAll;
  private boolean waiting;
  private long waitingSinceNanos;
  private boolean enough;
  private boolean regionHeard;
  private boolean over;

  /**
   * A state that has heard nothing.
   *
   * @param maxNanos how long to wait from the first connection on
   * @param expected how many aggregators there are; 0 if not known
   */
  Learning(long maxNanos, int expected) {
    this.maxNanos = maxNanos;
    this.expected = expected;
  }

  /** Whether enough has been heard to judge. */
  boolean isOver() {
    return over;
  }

  /** Whether enough has been heard of the own region for others to rely on it. */
  boolean isRegionHeard() {
    return regionHeard;
  }

  /**
   * Looks again.
   *
   * @param hasRules whether there are rules to judge by
   * @param regionsAwaited whether another region that can be reached has not been heard
   */
  void review(Census census, boolean hasRules, boolean regionsAwaited, long nowNanos) {
    if (census.sources() == 0) {
      lostAll |= regionHeard;
      enough = false;
      regionHeard &= census.known();
      over = false;
      // After a loss of all, the time counts from the first that is heard again.
      waitSince(nowNanos, census.connected() > 0 && !lostAll);
      return;
    }
    lostAll = false;
    waitSince(nowNanos, true);
    boolean late = nowNanos - waitingSinceNanos >= maxNanos;
    enough |= late || isEnough(census);
    regionHeard = enough || (regionHeard && census.known());
    over |= hasRules && enough && (late || !regionsAwaited);
  }

  private void waitSince(long nowNanos, boolean wait) {
    if (wait && !waiting) {
      waitingSinceNanos = nowNanos;
    }
    waiting = wait;
  }

  private boolean isEnough(Census census) {
    int known = expected > 0 ? expected : census.connected();
    return census.clients() > 0 && census.heard() >= ENOUGH * known;
  }
}
