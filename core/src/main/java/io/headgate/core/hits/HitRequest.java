package io.headgate.core.hits;

/**
 * Hits against a bucket, with the limit that holds for it. No number is out of range: a limit of 0
 * admits nothing, negative hits give back.
 *
 * @param hits how many; 0 asks for the state
 * @param limit hits per duration
 * @param duration milliseconds, or the code of a {@link CalendarUnit} with {@link
 *     Behavior#DURATION_IS_GREGORIAN}
 * @param burst the most that a leaky bucket or GCRA admits at once; 0 for the limit
 * @param algorithm how to count
 * @param behavior bits of {@link Behavior}
 * @param createdAt when the hits happened, in epoch milliseconds
 */
public record HitRequest(
    long hits,
    long limit,
    long duration,
    long burst,
    Algorithm algorithm,
    int behavior,
    long createdAt) {

  boolean has(int bit) {
    return Behavior.has(behavior, bit);
  }

  boolean isCalendar() {
    return has(Behavior.DURATION_IS_GREGORIAN);
  }

  long effectiveBurst() {
    return burst == 0 ? limit : burst;
  }

  /** The same with other hits and other bits. */
  public HitRequest with(long otherHits, int otherBehavior) {
    return new HitRequest(otherHits, limit, duration, burst, algorithm, otherBehavior, createdAt);
  }
}
