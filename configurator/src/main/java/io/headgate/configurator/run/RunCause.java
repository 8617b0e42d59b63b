package io.headgate.configurator.run;

import java.util.Locale;

/** Why there is something to do. */
public enum RunCause {
  /** Their time has come: all limits. */
  SCHEDULE,
  /** Somebody has changed the rules: the limits of the rules that changed. */
  RULES,
  /** It is time to see whether limits on trial have proven themselves. */
  TRIALS,
  /** Demand has gone away from limits: these. */
  DRIFT;

  /** As in metrics and in the status. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
