package io.headgate.keyed.redis;

/** What answers while Redis cannot be reached. Such decisions are marked as degraded. */
public enum OutagePolicy {
  /** Everything may go on. */
  OPEN,

  /** Nothing may go on. */
  CLOSED,

  /** Each replica admits its share, the limit divided by the known replicas, by its own count. */
  LOCAL
}
