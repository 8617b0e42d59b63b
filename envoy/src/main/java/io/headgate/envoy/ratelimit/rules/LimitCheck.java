package io.headgate.envoy.ratelimit.rules;

import io.headgate.keyed.NamedLimit;

/** Whether what counts can count a limit. */
@FunctionalInterface
public interface LimitCheck {

  /** Everything can be counted. */
  LimitCheck NONE = limit -> {};

  /**
   * Checks a limit.
   *
   * @throws IllegalArgumentException if it cannot be counted; the message says why
   */
  void require(NamedLimit limit);
}
