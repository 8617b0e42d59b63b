package io.headgate.envoy.proxy;

/**
 * How far the messages of the latest flush have come. A proxy splits a large flush into messages
 * with one stamp, which are equally long but for the last: that one tells that the flush is
 * complete.
 *
 * @param stampMillis when the proxy counted, by its clock
 * @param firstLength how many counters the first message had
 * @param lastLength how many the last one had
 * @param fullLength how many those have that others follow; 0 where none has been seen yet
 * @param beganNanos when the first came
 * @param lastNanos when the last came
 */
record FlushArrival(
    long stampMillis,
    int firstLength,
    int lastLength,
    int fullLength,
    long beganNanos,
    long lastNanos) {

  /** Messages follow one another at once; where nothing else is known this is the end. */
  static final long PAUSE_NANOS = 10_000_000;

  /** So long is waited after a full message; a busy proxy may pause in between. */
  private static final long PATIENCE_NANOS = 250_000_000;

  /** Nothing has come on a stream. */
  static final FlushArrival NONE = new FlushArrival(0, 0, 0, 0, 0, 0);

  /** The arrival with one more message. */
  FlushArrival and(long stampMillis, int length, long nowNanos) {
    return stampMillis == this.stampMillis && stampMillis != 0
        ? new FlushArrival(stampMillis, firstLength, length, firstLength, beganNanos, nowNanos)
        : new FlushArrival(stampMillis, length, length, fullLength, nowNanos, nowNanos);
  }

  /** How long until it is known to be complete if nothing more comes; 0 or less if it is. */
  long nanosToComplete(long nowNanos) {
    boolean full = fullLength > 0 && lastLength >= fullLength;
    return lastNanos + (full ? PATIENCE_NANOS : PAUSE_NANOS) - nowNanos;
  }
}
