package io.headgate.configurator.policy;

import io.headgate.configurator.history.History;

/**
 * How a limit follows from the past. The same history and outlook must give the same estimate: a
 * policy has no state, no clock and no chance. Safe for use by several threads.
 */
@FunctionalInterface
public interface LimitPolicy {

  /**
   * The limit that it holds to be right. Whether it comes into force is for the guards to say.
   *
   * @param history at least one usual daily peak, unless the policy {@linkplain #needsHistory()
   *     needs none}
   */
  Estimate estimate(History history, Outlook outlook);

  /** Whether it says nothing of use without enough of the past. */
  default boolean needsHistory() {
    return true;
  }
}
