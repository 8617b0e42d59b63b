package io.headgate.configurator.run;

import java.util.Locale;

/** What became of a run. */
public enum RunResult {
  /** The rules were changed. */
  WRITTEN,
  /** The rules say so already. */
  UNCHANGED,
  /** Something could not be read or written; no limit was changed. */
  FAILED,
  /** Somebody else changed the rules meanwhile; no limit was changed. */
  CONFLICT,
  /** Somebody else has taken over; no limit was changed. */
  LOST,
  /** The process was told to end; no limit was changed. */
  STOPPED;

  /** Whether limits were computed, and are in the rules now. */
  public boolean isGood() {
    return this == WRITTEN || this == UNCHANGED;
  }

  /** As in metrics and in the status. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
