package io.headgate.configurator.promotion;

/**
 * What a limit has done where it is enforced, since it is. Time counts in which the rates are
 * known, outside of the windows of the calendar, and in which no more was offered than is usual: to
 * drop what is beyond that is what limits are for.
 *
 * @param seconds how long that is
 * @param dropShare the greatest share of the calls that it has dropped in any stretch of the length
 *     of a soak, 0 to 1
 */
record SoakEvidence(double seconds, double dropShare) {

  /** Nothing is known yet. */
  static final SoakEvidence NONE = new SoakEvidence(0, 0);

  /** What both together show. */
  SoakEvidence and(SoakEvidence other) {
    return new SoakEvidence(Math.min(seconds, other.seconds), Math.max(dropShare, other.dropShare));
  }
}
