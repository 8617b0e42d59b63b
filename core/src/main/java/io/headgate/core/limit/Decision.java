package io.headgate.core.limit;

/**
 * The answer to a request for permits.
 *
 * @param allowed whether the permits were taken
 * @param limit the most permits that can be taken at once
 * @param remaining permits that are left, 0 or more
 * @param resetAtNanos when all permits are back if nobody asks, on the clock that was passed in
 * @param retryAfterNanos how long to wait until the same request succeeds if nobody else asks; 0 if
 *     it was allowed, {@link #NEVER} if it asks for more than the limit
 */
public record Decision(
    boolean allowed, long limit, long remaining, long resetAtNanos, long retryAfterNanos) {

  /** The wait of a request that no wait can help. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  /** Whether no wait makes the same request succeed. */
  public boolean isHopeless() {
    return retryAfterNanos == NEVER;
  }

  /** The same denial with another wait. */
  public Decision waiting(long nanos) {
    return new Decision(false, limit, remaining, resetAtNanos, nanos);
  }

  /** The wait in whole seconds, rounded up, as the header {@code Retry-After} wants it. */
  public long retryAfterSeconds() {
    return secondsUp(retryAfterNanos);
  }

  /** Nanoseconds as whole seconds, rounded up; 0 if negative. */
  public static long secondsUp(long nanos) {
    if (nanos <= 0) {
      return 0;
    }
    return (nanos - 1) / NANOS_PER_SECOND + 1;
  }
}
