package io.headgate.control.aggregator;

/** Lets one line through each so often, and counts those that it holds back. */
final class LogThrottle {

  private final long everyNanos;
  private boolean started;
  private long lastNanos;
  private long heldBack;

  LogThrottle(long everyNanos) {
    this.everyNanos = everyNanos;
  }

  /** Whether a line may be written now. */
  boolean admits(long nowNanos) {
    if (started && nowNanos - lastNanos < everyNanos) {
      heldBack++;
      return false;
    }
    started = true;
    lastNanos = nowNanos;
    return true;
  }

  /** How many were held back since the last call. */
  long takeHeldBack() {
    long count = heldBack;
    heldBack = 0;
    return count;
  }
}
