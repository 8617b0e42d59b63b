package io.headgate.envoy.proxy;

import java.util.concurrent.TimeUnit;

/**
 * How much time the counts of a flush cover. The proxy stamps what it sends when it has counted, so
 * the time between two stamps is that of the counts, however long either was on its way. The clock
 * of the proxy is believed as far as the time between their arrivals bears it out: it may be set.
 * Confined to its owner's loop.
 */
final class FlushClock {

  private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long TRUST_NANOS = TimeUnit.SECONDS.toNanos(1);

  private long intervalNanos;
  private long stampMillis;
  private long arrivedNanos;
  private boolean begun;

  /** A clock of which only the usual time between flushes is known. */
  FlushClock(long intervalNanos) {
    this.intervalNanos = intervalNanos;
  }

  /** A new stream: what was counted before its first flush and after the last one is lost. */
  void streamBegins() {
    begun = false;
  }

  /** Whether the flush with this stamp was taken for complete before. */
  boolean isSettled(long stampMillis) {
    return begun && stampMillis != 0 && stampMillis == this.stampMillis;
  }

  /**
   * A flush is complete.
   *
   * @param stampMillis when it was counted, by the proxy's clock
   * @param arrivedNanos when the first of it arrived
   * @return how long it counted
   */
  long flushed(long stampMillis, long arrivedNanos) {
    long elapsed = begun ? between(stampMillis, arrivedNanos) : intervalNanos;
    begun = true;
    this.stampMillis = stampMillis;
    this.arrivedNanos = arrivedNanos;
    return elapsed;
  }

  private long between(long stampMillis, long arrivedNanos) {
    long byArrival = arrivedNanos - this.arrivedNanos;
    long byStamp = TimeUnit.MILLISECONDS.toNanos(stampMillis - this.stampMillis);
    boolean trusted = byStamp > 0 && Math.abs(byStamp - byArrival) <= TRUST_NANOS;
    if (trusted) {
      intervalNanos = byStamp;
    }
    return Math.max(LEAST_NANOS, trusted ? byStamp : byArrival);
  }
}
