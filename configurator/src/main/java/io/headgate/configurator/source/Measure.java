package io.headgate.configurator.source;

/** What of a rule's calls is counted. */
public enum Measure {
  /** Calls judged, before the rule's drop. */
  OFFERED,
  /** Calls that the rule dropped. */
  DROPPED,
  /** Calls that the rule would have dropped, were it not in shadow. */
  WOULD_DROP
}
