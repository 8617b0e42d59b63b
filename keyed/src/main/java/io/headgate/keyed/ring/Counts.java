package io.headgate.keyed.ring;

import io.headgate.core.hits.Behavior;
import io.headgate.core.hits.HitAnswer;
import io.headgate.core.hits.HitRequest;
import io.headgate.core.hits.InvalidRequestException;
import io.headgate.keyed.ring.bucket.BucketMap;
import io.headgate.keyed.ring.bucket.HitKey;
import io.headgate.keyed.ring.bucket.Wire;
import io.headgate.keyed.ring.cluster.Topology;
import io.headgate.keyed.ring.global.Broadcaster;
import io.headgate.protocol.gubernator.RateLimitReq;
import io.headgate.protocol.gubernator.RateLimitResp;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Counts as the owner of keys, and tells who is to know of it. */
final class Counts {

  private static final String COUNTING = "during workerPool.GetRateLimit: ";
  private static final BooleanSupplier NEVER = () -> false;

  private final BucketMap buckets;
  private final Broadcaster broadcaster;
  private final Regions regions;
  private final RingListener listener;
  private final RingStats stats;

  Counts(
      BucketMap buckets,
      Broadcaster broadcaster,
      Regions regions,
      RingListener listener,
      RingStats stats) {
    this.buckets = buckets;
    this.broadcaster = broadcaster;
    this.regions = regions;
    this.listener = listener;
    this.stats = stats;
  }

  /** Counts hits if they are there. */
  RateLimitResp hit(Question question) {
    return Objects.requireNonNull(hit(NEVER, question));
  }

  /** Like {@link #hit}, but only as long as a ring is in force; null if it is not any more. */
  @Nullable RateLimitResp hit(Topology topology, Question question) {
    return hit(topology.over(), question);
  }

  private @Nullable RateLimitResp hit(BooleanSupplier tooLate, Question question) {
    try {
      HitRequest request = request(question);
      return answer(
          question, request, buckets.hitUnless(tooLate, question.key(), request, question.now()));
    } catch (InvalidRequestException e) {
      return invalid(question, e);
    }
  }

  /** Like {@link #hit}, but only if there is a bucket; null if there is none. */
  @Nullable RateLimitResp hitIfPresent(Question question) {
    try {
      HitRequest request = request(question);
      return answer(
          question, request, buckets.hitIfPresent(question.key(), request, question.now()));
    } catch (InvalidRequestException e) {
      return invalid(question, e);
    }
  }

  private static HitRequest request(Question question) {
    return Wire.request(question.request(), question.behavior(), question.now());
  }

  private @Nullable RateLimitResp answer(
      Question question, HitRequest request, @Nullable HitAnswer answer) {
    if (answer == null) {
      return null;
    }
    counted(question.key(), request, answer);
    return Wire.message(answer);
  }

  private RateLimitResp invalid(Question question, InvalidRequestException e) {
    stats.add(RingStats.Event.UNCOUNTABLE);
    return Wire.error(question.errorPrefix() + error(question.request(), e));
  }

  /** Counts hits that were admitted elsewhere. */
  RateLimitResp charge(HitKey key, RateLimitReq message, long nowMillis) {
    try {
      return Wire.message(
          charge(key, Wire.request(message, message.getBehaviorValue(), nowMillis), nowMillis));
    } catch (InvalidRequestException e) {
      stats.add(RingStats.Event.UNCOUNTABLE);
      return Wire.error("Error in getLocalRateLimit: " + error(message, e));
    }
  }

  HitAnswer charge(HitKey key, HitRequest request, long nowMillis) {
    HitAnswer answer = buckets.charge(key, request, nowMillis);
    counted(key, request, answer);
    return answer;
  }

  private void counted(HitKey key, HitRequest request, HitAnswer answer) {
    if (answer.over()) {
      stats.add(RingStats.Event.OVER_LIMIT);
    }
    int behavior = request.behavior();
    boolean changes = request.hits() != 0 || Behavior.has(behavior, Behavior.RESET_REMAINING);
    if (changes && Behavior.has(behavior, Behavior.GLOBAL)) {
      broadcaster.changed(key, request);
    }
    if (changes && !answer.over() && Behavior.has(behavior, Behavior.MULTI_REGION)) {
      regions.add(key, request);
    }
    if (listener != RingListener.NONE) {
      listener.tell(key, request, answer);
    }
  }

  /** The words that Gubernator has for what is wrong with a request. */
  static String error(RateLimitReq message, InvalidRequestException e) {
    String problem = String.valueOf(e.getMessage());
    if (problem.startsWith("Invalid rate limit algorithm")) {
      return COUNTING + problem;
    }
    String where = message.getAlgorithmValue() == 0 ? "tokenBucket" : "leakyBucket";
    return COUNTING + "Error in " + where + ": " + problem;
  }
}
