package io.headgate.core.rule;

import java.util.Locale;

/**
 * What a region does with a global limit when another region stays unreachable for longer than its
 * demand is held.
 */
public enum WhenCutOff {
  /** It keeps to its share of the limit, by the demand that was last known of all regions. */
  SHARE,
  /** It takes the whole limit, as if the other region had no demand. */
  OPEN;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
