package io.headgate.core.limit;

/** A token bucket that gets the tokens of a whole period at its end. */
final class IntervalLimiter extends LockedLimiter {

  private final long capacity;
  private final long refill;
  private final long period;
  private long periodStart;
  private long tokens;

  /** The largest time seen; more than the start of the period when the clock steps back. */
  private long last;

  IntervalLimiter(TokenBucket bucket, long nowNanos) {
    super(bucket);
    capacity = bucket.capacity();
    refill = bucket.refillTokens();
    period = bucket.refillPeriod().toNanos();
    periodStart = nowNanos;
    last = nowNanos;
    tokens = bucket.initialTokens();
  }

  @Override
  void inherit(Limiter predecessor, long remaining, long nowNanos) {
    tokens = remaining;
  }

  @Override
  void advance(long nowNanos) {
    if (nowNanos <= last) {
      return;
    }
    last = nowNanos;
    long elapsed = nowNanos - periodStart;
    if (elapsed < period) {
      return;
    }
    long periods = elapsed / period;
    periodStart += periods * period;
    long come = WideMath.multiplyAddDivide(periods, refill, 0, 1);
    tokens = come >= capacity - tokens ? capacity : tokens + come;
  }

  @Override
  long left() {
    return tokens;
  }

  @Override
  void charge(long cost) {
    tokens -= cost;
  }

  @Override
  boolean uncharge(long permits, long takenAtNanos) {
    tokens = permits >= capacity - tokens ? capacity : tokens + permits;
    return true;
  }

  @Override
  void forgive(long permits) {
    tokens += permits;
  }

  @Override
  long wait(long cost, long nowNanos) {
    return WideMath.saturatedAdd(periodStart - nowNanos, untilThere(cost));
  }

  @Override
  long full() {
    return tokens == capacity ? last : WideMath.saturatedAdd(periodStart, untilThere(capacity));
  }

  /** From the start of the period. */
  private long untilThere(long permits) {
    long periods = (permits - tokens - 1) / refill + 1;
    return WideMath.multiplyAddDivide(periods, period, 0, 1);
  }
}
