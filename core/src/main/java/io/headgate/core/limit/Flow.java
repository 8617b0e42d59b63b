package io.headgate.core.limit;

import java.math.BigInteger;
import java.time.Duration;

/**
 * A constant rate of permits as a reduced fraction, so that no permit is lost or gained by
 * rounding: {@code permits} come back each {@code nanos}.
 *
 * @param permits above 0
 * @param nanos above 0; without a common divisor with the permits
 * @param capacity the most permits that gather
 */
record Flow(long permits, long nanos, long capacity) {

  /*
   * Time is counted in steps of 1/permits ns, in which a permit takes exactly `nanos` steps. Where ten
   * years of such steps fit into a word together with a full bucket, one word holds the whole state.
   * Rates of up to 14 permits in lowest terms do: all that are of the form 2^a * 5^b a second, and
   * their small multiples.
   */
  private static final long MAX_PERMITS_OF_A_WORD = 14;
  private static final long MAX_STEPS_OF_A_BUCKET = 1L << 60;

  static Flow of(long permits, Duration period, long capacity) {
    long nanos = period.toNanos();
    long divisor = BigInteger.valueOf(permits).gcd(BigInteger.valueOf(nanos)).longValue();
    return new Flow(permits / divisor, nanos / divisor, capacity);
  }

  /** How long an empty bucket takes to be full. */
  long fillNanos() {
    return WideMath.multiplyDivideUp(capacity, nanos, permits);
  }

  Limiter start(Limit limit, long initial, long nowNanos) {
    return fitsAWord()
        ? new ArrivalLimiter(limit, this, initial, nowNanos)
        : new FlowLimiter(limit, this, initial, nowNanos);
  }

  private boolean fitsAWord() {
    return permits <= MAX_PERMITS_OF_A_WORD && capacity <= MAX_STEPS_OF_A_BUCKET / nanos;
  }
}
