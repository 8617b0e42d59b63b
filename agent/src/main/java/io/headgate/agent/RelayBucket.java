package io.headgate.agent;

import io.headgate.core.rule.BucketKey;
import io.headgate.core.rule.Rule;

/**
 * One bucket as a {@link RelayAgent} shows it to whoever judges the calls: what share to drop, and
 * where to say how many were.
 */
public interface RelayBucket {

  /** What is counted together here. */
  BucketKey key();

  /** The rule that the bucket is of, as it is now. */
  Rule rule();

  /**
   * The share of first attempts without a criticality that the directive in force drops, or for a
   * rule in shadow would drop, from 0 to 1.
   */
  double dropRatio();

  /**
   * Counts first attempts without a criticality that this bucket has judged; all numbers are 0 or
   * more.
   *
   * @param admitted passed with no objection
   * @param dropped dropped by this bucket
   * @param wouldDrop passed only because the rule is in shadow
   */
  void count(long admitted, long dropped, long wouldDrop);
}
