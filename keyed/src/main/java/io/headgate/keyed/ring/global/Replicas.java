package io.headgate.keyed.ring.global;

import io.headgate.core.hits.Algorithm;
import io.headgate.core.hits.Behavior;
import io.headgate.core.hits.BucketState;
import io.headgate.core.hits.HitAnswer;
import io.headgate.core.hits.HitRequest;
import io.headgate.keyed.ring.bucket.BucketMap;
import io.headgate.keyed.ring.bucket.HitKey;
import io.headgate.keyed.ring.bucket.Wire;
import io.headgate.protocol.gubernator.RateLimitResp;
import io.headgate.protocol.gubernator.UpdatePeerGlobal;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What this node knows of keys that it answers for and does not own: how the owner said that they
 * stand, and the hits that were admitted here and that the owner did not include yet. The two are
 * always added up, so that an update from the owner gives nothing back that was taken here.
 */
public final class Replicas {

  private static final int LOCKS = 64;

  private final BucketMap buckets;
  private final HitOutbox outbox;
  private final Object[] locks = new Object[LOCKS];

  /**
   * Creates an empty one.
   *
   * @param outbox takes the hits to the owner
   */
  public Replicas(BucketMap buckets, HitOutbox outbox) {
    this.buckets = buckets;
    this.outbox = outbox;
    for (int i = 0; i < LOCKS; i++) {
      locks[i] = new Object();
    }
  }

  private Object lockOf(HitKey key) {
    return locks[key.hashCode() & LOCKS - 1];
  }

  /**
   * Answers from what is known here; what it admits is owed to the owner, what it refuses is not.
   *
   * @throws io.headgate.core.hits.InvalidRequestException if no bucket can count it
   */
  public HitAnswer hit(HitKey key, HitRequest request, long nowMillis) {
    boolean reset = Behavior.has(request.behavior(), Behavior.RESET_REMAINING);
    boolean drains = Behavior.has(request.behavior(), Behavior.DRAIN_OVER_LIMIT);
    synchronized (lockOf(key)) {
      boolean vanishes =
          reset
              && request.algorithm() == Algorithm.TOKEN_BUCKET
              && buckets.contains(key, nowMillis);
      long left = drains ? remaining(key, request, nowMillis) : 0;
      HitAnswer answer = buckets.hit(key, request, nowMillis);
      if (vanishes) {
        outbox.add(key, request.with(0, request.behavior()));
      } else if (!answer.over() && (request.hits() != 0 || reset)) {
        outbox.add(key, request);
      } else if (answer.over() && left > 0) {
        outbox.add(key, request.with(left, request.behavior()));
      }
      return answer;
    }
  }

  private long remaining(HitKey key, HitRequest request, long nowMillis) {
    int probe = request.behavior() & Behavior.DURATION_IS_GREGORIAN;
    return buckets.hit(key, request.with(0, probe), nowMillis).remaining();
  }

  /**
   * Takes in how the owner says that a key stands.
   *
   * @param included the number of the last batch from here that the owner has counted
   */
  public void update(UpdatePeerGlobal update, long included, long nowMillis) {
    if (update.getNameLength() > 0) {
      HitKey key = split(update.getKey(), update.getNameLength());
      replace(key, update.hasState() ? Wire.state(update.getState()) : null, included, nowMillis);
      return;
    }
    // A node of Gubernator does not say where the name ends: whatever is known here decides.
    String joined = update.getKey();
    for (int cut = joined.indexOf('_'); cut >= 0; cut = joined.indexOf('_', cut + 1)) {
      HitKey key = new HitKey(joined.substring(0, cut), joined.substring(cut + 1));
      if (buckets.contains(key, nowMillis)) {
        replace(key, approximate(update, nowMillis), included, nowMillis);
      }
    }
  }

  private static HitKey split(String joined, int nameBytes) {
    byte[] utf8 = joined.getBytes(StandardCharsets.UTF_8);
    int rest = Math.min(nameBytes + 1, utf8.length);
    return new HitKey(
        new String(utf8, 0, Math.min(nameBytes, utf8.length), StandardCharsets.UTF_8),
        new String(utf8, rest, utf8.length - rest, StandardCharsets.UTF_8));
  }

  private void replace(HitKey key, @Nullable BucketState state, long included, long nowMillis) {
    synchronized (lockOf(key)) {
      long owed = outbox.owedBeyond(key, included);
      if (state == null) {
        if (owed == 0) {
          buckets.remove(key);
        }
        return; // hits that were taken after the reset stay
      }
      buckets.replace(key, state, nowMillis);
      if (owed != 0) {
        buckets.charge(key, chargeOf(state, owed, nowMillis), nowMillis);
      }
    }
  }

  private static HitRequest chargeOf(BucketState state, long hits, long nowMillis) {
    return new HitRequest(
        hits,
        state.limit(),
        state.duration(),
        state.burst(),
        state.algorithm(),
        state.calendar() ? Behavior.DURATION_IS_GREGORIAN : 0,
        nowMillis);
  }

  /** The bucket as far as Gubernator tells of it: whole hits, and no burst. */
  private static @Nullable BucketState approximate(UpdatePeerGlobal update, long nowMillis) {
    RateLimitResp status = update.getStatus();
    if (status.getResetTime() == 0) {
      return null;
    }
    long limit = status.getLimit();
    long remaining = status.getRemaining();
    long duration = update.getDuration();
    boolean leaky = update.getAlgorithmValue() == Wire.number(Algorithm.LEAKY_BUCKET);
    return leaky
        ? new BucketState(
            Algorithm.LEAKY_BUCKET,
            limit,
            duration,
            false,
            limit,
            remaining,
            0,
            nowMillis,
            duration,
            Math.max(status.getResetTime(), nowMillis + duration))
        : new BucketState(
            Algorithm.TOKEN_BUCKET,
            limit,
            duration,
            false,
            0,
            limit - remaining,
            0,
            update.getCreatedAt() == 0 ? nowMillis : update.getCreatedAt(),
            0,
            status.getResetTime());
  }
}
