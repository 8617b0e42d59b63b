package io.headgate.keyed.redis;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.headgate.core.limit.Decision;
import io.headgate.core.limit.Limit;
import io.headgate.keyed.Hit;
import org.jspecify.annotations.Nullable;

/** Remembers who is over its limit and until when, so that asking again costs no call. */
final class OverMemory {

  private record Over(Limit limit, long cost, Decision decision, long untilNanos) {}

  private final Cache<String, Over> keys;

  OverMemory(long maxKeys) {
    keys = Caffeine.newBuilder().maximumSize(maxKeys).executor(Runnable::run).build();
  }

  /** The denial of a hit that is known to be denied still. */
  @Nullable Decision recall(String key, Hit hit, long nowNanos) {
    Over over = keys.getIfPresent(key);
    if (over == null) {
      return null;
    }
    long wait = over.untilNanos - nowNanos;
    if (wait <= 0 || !over.limit.equals(hit.limit().limit())) {
      keys.invalidate(key);
      return null;
    }
    Decision then = over.decision;
    return Math.max(1, hit.cost()) < over.cost
        ? null
        : new Decision(false, then.limit(), then.remaining(), then.resetAtNanos(), wait);
  }

  /** Permits of the key may be there again. */
  void forget(String key) {
    keys.invalidate(key);
  }

  void remember(String key, Hit hit, Decision decision, long nowNanos) {
    if (!decision.allowed() && !decision.isHopeless()) {
      keys.put(
          key,
          new Over(
              hit.limit().limit(),
              Math.max(1, hit.cost()),
              decision,
              nowNanos + decision.retryAfterNanos()));
    }
  }
}
