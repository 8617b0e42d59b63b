package io.headgate.server.demo.measure;

import io.headgate.agent.BucketCounts;

/**
 * Numbers of calls that a rule judged.
 *
 * @param offered all of them
 * @param admitted of these, passed
 * @param dropped of these, dropped by the rule
 * @param wouldDrop of these, passed only because the rule is in shadow
 */
public record Counts(long offered, long admitted, long dropped, long wouldDrop) {

  /** None. */
  public static final Counts NONE = new Counts(0, 0, 0, 0);

  static Counts of(BucketCounts bucket) {
    return new Counts(bucket.offered(), bucket.admitted(), bucket.dropped(), bucket.wouldDrop());
  }

  /** The sum of both. */
  public Counts plus(Counts other) {
    return new Counts(
        offered + other.offered,
        admitted + other.admitted,
        dropped + other.dropped,
        wouldDrop + other.wouldDrop);
  }

  /** What came on top of {@code earlier}; all of it where a bucket was made anew in between. */
  Counts since(Counts earlier) {
    return offered < earlier.offered
        ? this
        : new Counts(
            offered - earlier.offered,
            admitted - earlier.admitted,
            dropped - earlier.dropped,
            wouldDrop - earlier.wouldDrop);
  }

  /** The share of calls that the rule dropped, from 0 to 1; 0 where there were none. */
  public double dropRatio() {
    return share(dropped);
  }

  /** The share of calls that the rule would have dropped, from 0 to 1; 0 where there were none. */
  public double wouldDropRatio() {
    return share(wouldDrop);
  }

  private double share(long part) {
    return offered == 0 ? 0 : (double) part / offered;
  }
}
