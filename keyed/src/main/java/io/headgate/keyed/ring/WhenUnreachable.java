package io.headgate.keyed.ring;

/** What a request gets whose owner cannot be reached. */
public enum WhenUnreachable {
  /** An error, as in Gubernator. */
  ERROR,

  /**
   * An answer of the node that was asked, counted there alone and marked with {@code degraded} in
   * its metadata: each node admits up to the limit.
   */
  LOCAL
}
