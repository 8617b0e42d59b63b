package io.headgate.core.hits;

import java.time.ZoneId;

/**
 * The count of one key. Not safe for use by several threads at once.
 *
 * <p>Time goes by what requests say ({@link HitRequest#createdAt}); only expiry, and calendar
 * units, go by the clock of the node.
 */
public abstract sealed class Bucket permits WindowBucket, FluidBucket, SlidingBucket {

  /** Before all times: what is expired whenever it is asked. */
  private static final long LONG_AGO = Long.MIN_VALUE;

  private long expireAt;

  Bucket() {}

  /**
   * A bucket that was never used.
   *
   * @throws InvalidRequestException if the request names a calendar unit that does not exist
   */
  public static Bucket create(HitRequest request, long nowMillis, ZoneId zone) {
    return switch (request.algorithm()) {
      case TOKEN_BUCKET -> new WindowBucket(request, nowMillis, zone);
      case LEAKY_BUCKET, GCRA -> new FluidBucket(request, nowMillis, zone);
      case SLIDING_WINDOW -> new SlidingBucket(request, nowMillis, zone);
    };
  }

  /** A bucket as it was when it was asked for its {@link #state}. */
  public static Bucket of(BucketState state) {
    Bucket bucket =
        switch (state.algorithm()) {
          case TOKEN_BUCKET -> new WindowBucket(state);
          case LEAKY_BUCKET, GCRA -> new FluidBucket(state);
          case SLIDING_WINDOW -> new SlidingBucket(state);
        };
    bucket.expireAt = state.expireAt();
    return bucket;
  }

  /** The first request of a bucket that {@link #create} made for it. */
  public abstract HitAnswer first(HitRequest request, long nowMillis, ZoneId zone);

  /**
   * Counts hits, if they are there.
   *
   * @param request of this bucket's algorithm; its limit and duration hold from now on
   * @throws InvalidRequestException if it names a calendar unit that does not exist; nothing
   *     changes
   */
  public abstract HitAnswer hit(HitRequest request, long nowMillis, ZoneId zone);

  /**
   * Counts hits that were admitted elsewhere, whether they are there or not: what is used beyond
   * the limit is missing later.
   */
  public abstract void charge(HitRequest request, long nowMillis, ZoneId zone);

  /** Adds what another bucket of the same key and algorithm has used. */
  public abstract void merge(BucketState other);

  /** What this bucket is to be restored from. */
  public abstract BucketState state();

  /** How this bucket counts. */
  public abstract Algorithm algorithm();

  /** Whether it is as good as one that was never used. */
  public final boolean isExpired(long nowMillis) {
    return expireAt < nowMillis;
  }

  /** The last millisecond in which it differs from one that was never used. */
  public final long expireAt() {
    return expireAt;
  }

  final void expireAt(long millis) {
    expireAt = millis;
  }

  /** Ends this bucket: the next request begins another. */
  final void discard() {
    expireAt = LONG_AGO;
  }

  /** Whether a request did away with it. */
  public final boolean isDiscarded() {
    return expireAt == LONG_AGO;
  }

  /** {@code a - b}, held at the ends of the range. */
  static long minus(long a, long b) {
    long difference = a - b;
    return ((a ^ b) & (a ^ difference)) < 0 ? a < 0 ? Long.MIN_VALUE : Long.MAX_VALUE : difference;
  }

  /** {@code a + b}, held at the ends of the range. */
  static long plus(long a, long b) {
    long sum = a + b;
    return ((a ^ sum) & (b ^ sum)) < 0 ? a < 0 ? Long.MIN_VALUE : Long.MAX_VALUE : sum;
  }

  /**
   * When the time of a new bucket starts: as its request says, or now if that is so long ago that
   * the bucket would have ended before it began and never limited anything.
   */
  static long startOf(HitRequest request, long nowMillis) {
    long duration = request.duration();
    long createdAt = request.createdAt();
    return duration > 0 && plus(createdAt, duration) < nowMillis ? nowMillis : createdAt;
  }
}
