package io.headgate.configurator.run;

import java.util.Locale;

/** Why limits are computed. */
public enum RunCause {
  /** Their time has come: all limits. */
  SCHEDULE,
  /** Somebody has changed the rules: the limits of the rules that changed. */
  RULES,
  /** Demand has gone away from limits: these. */
  DRIFT;

  /** As in metrics and in the status. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
