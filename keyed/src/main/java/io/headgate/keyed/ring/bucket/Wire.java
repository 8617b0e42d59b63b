package io.headgate.keyed.ring.bucket;

import io.headgate.core.hits.Algorithm;
import io.headgate.core.hits.BucketState;
import io.headgate.core.hits.HitAnswer;
import io.headgate.core.hits.HitRequest;
import io.headgate.core.hits.InvalidRequestException;
import io.headgate.protocol.gubernator.RateLimitReq;
import io.headgate.protocol.gubernator.RateLimitResp;
import io.headgate.protocol.gubernator.Status;
import org.jspecify.annotations.Nullable;

/** Requests, answers and buckets as messages. */
public final class Wire {

  private static final int TOKEN_BUCKET = 0;
  private static final int LEAKY_BUCKET = 1;
  private static final int SLIDING_WINDOW = 100;
  private static final int GCRA = 101;

  private Wire() {}

  /** What a request is about. */
  public static HitKey key(RateLimitReq request) {
    return new HitKey(request.getName(), request.getUniqueKey());
  }

  /** When a request says that its hits happened, or the time given if it does not say. */
  public static long createdAt(RateLimitReq request, long otherwise) {
    long millis = request.getCreatedAt();
    return millis == 0 ? otherwise : millis;
  }

  /**
   * A request as buckets take it.
   *
   * @param nowMillis when its hits happened if it does not say so
   * @throws InvalidRequestException if there is no such algorithm
   */
  public static HitRequest request(RateLimitReq request, int behavior, long nowMillis) {
    return new HitRequest(
        request.getHits(),
        request.getLimit(),
        request.getDuration(),
        request.getBurst(),
        algorithm(request.getAlgorithmValue()),
        behavior,
        createdAt(request, nowMillis));
  }

  /** A request as a message. */
  public static RateLimitReq message(HitKey key, HitRequest request) {
    return RateLimitReq.newBuilder()
        .setName(key.name())
        .setUniqueKey(key.key())
        .setHits(request.hits())
        .setLimit(request.limit())
        .setDuration(request.duration())
        .setBurst(request.burst())
        .setAlgorithmValue(number(request.algorithm()))
        .setBehaviorValue(request.behavior())
        .setCreatedAt(request.createdAt())
        .build();
  }

  /** The algorithm with a number. */
  public static Algorithm algorithm(int number) {
    return switch (number) {
      case TOKEN_BUCKET -> Algorithm.TOKEN_BUCKET;
      case LEAKY_BUCKET -> Algorithm.LEAKY_BUCKET;
      case SLIDING_WINDOW -> Algorithm.SLIDING_WINDOW;
      case GCRA -> Algorithm.GCRA;
      default -> throw new InvalidRequestException("Invalid rate limit algorithm '" + number + "'");
    };
  }

  /** The number of an algorithm. */
  public static int number(Algorithm algorithm) {
    return switch (algorithm) {
      case TOKEN_BUCKET -> TOKEN_BUCKET;
      case LEAKY_BUCKET -> LEAKY_BUCKET;
      case SLIDING_WINDOW -> SLIDING_WINDOW;
      case GCRA -> GCRA;
    };
  }

  /** An answer as a message. */
  public static RateLimitResp message(HitAnswer answer) {
    return RateLimitResp.newBuilder()
        .setStatus(answer.over() ? Status.OVER_LIMIT : Status.UNDER_LIMIT)
        .setLimit(answer.limit())
        .setRemaining(answer.remaining())
        .setResetTime(answer.resetAt())
        .build();
  }

  /** An error as a message. */
  public static RateLimitResp error(String message) {
    return RateLimitResp.newBuilder().setError(message).build();
  }

  /** A bucket as a message. */
  public static io.headgate.protocol.ring.v1.BucketState message(BucketState state) {
    return io.headgate.protocol.ring.v1.BucketState.newBuilder()
        .setAlgorithm(number(state.algorithm()))
        .setLimit(state.limit())
        .setDuration(state.duration())
        .setCalendar(state.calendar())
        .setBurst(state.burst())
        .setCount(state.count())
        .setPart(state.part())
        .setTime(state.time())
        .setPeriod(state.period())
        .setExpireAt(state.expireAt())
        .build();
  }

  /** A bucket that came as a message; null if it is of an algorithm that is not known here. */
  public static @Nullable BucketState state(io.headgate.protocol.ring.v1.BucketState message) {
    int number = message.getAlgorithm();
    if (number != TOKEN_BUCKET
        && number != LEAKY_BUCKET
        && number != SLIDING_WINDOW
        && number != GCRA) {
      return null;
    }
    return new BucketState(
        algorithm(number),
        message.getLimit(),
        message.getDuration(),
        message.getCalendar(),
        message.getBurst(),
        message.getCount(),
        message.getPart(),
        message.getTime(),
        message.getPeriod(),
        message.getExpireAt());
  }
}
