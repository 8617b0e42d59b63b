package io.headgate.configurator.history;

import java.util.Locale;

/** Why a part of time is unlike others. */
public enum WindowKind {
  /** Something went wrong: an attack, a retry storm, an outage. */
  INCIDENT,
  /** A region carries the traffic of another one. */
  FAILOVER,
  /** Traffic that is no use. */
  LOAD_TEST,
  /** The limiter or a source of the figures was changed. */
  DEPLOY,
  /** A day for which much traffic is expected, such as a sale. */
  PEAK;

  /** The word in a calendar. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
