package io.headgate.envoy.proxy;

/**
 * How far the messages of the latest flush have come. A proxy splits a large flush into several
 * messages with one stamp, as many as for the flush before unless it counts more or less by now.
 *
 * @param stampMillis when the proxy counted, by its clock
 * @param messages of this flush so far
 * @param usual how many the flush before had
 * @param beganNanos when the first came
 * @param lastNanos when the last came
 */
record FlushArrival(long stampMillis, int messages, int usual, long beganNanos, long lastNanos) {

  /** The messages of one flush follow one another at once; after such a pause it is complete. */
  static final long PAUSE_NANOS = 10_000_000;

  /** So long the usual number of messages is waited for; a busy proxy may pause in between. */
  private static final long PATIENCE_NANOS = 250_000_000;

  static final FlushArrival NONE = new FlushArrival(0, 0, 0, 0, 0);

  /** The arrival with one more message. */
  FlushArrival and(long stampMillis, long nowNanos) {
    return stampMillis == this.stampMillis && messages > 0
        ? new FlushArrival(stampMillis, messages + 1, usual, beganNanos, nowNanos)
        : new FlushArrival(stampMillis, 1, messages, nowNanos, nowNanos);
  }

  /** How long until it is known to be complete if nothing more comes; 0 or less if it is. */
  long nanosToComplete(long nowNanos) {
    long dueNanos = lastNanos + PAUSE_NANOS;
    if (messages < usual) {
      dueNanos = Math.max(dueNanos, beganNanos + PATIENCE_NANOS);
    }
    return dueNanos - nowNanos;
  }
}
