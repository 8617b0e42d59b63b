package io.headgate.core.limit;

/** Who of those that wait is served first. */
public enum QueueOrder {
  /** Who came first. A newcomer is not served before those that wait; a full queue denies it. */
  OLDEST_FIRST,

  /**
   * Who came last. A newcomer takes what is there even if others wait; a full queue makes room for
   * it by denying those that wait longest.
   */
  NEWEST_FIRST
}
