package io.headgate.keyed.local;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import com.github.benmanes.caffeine.cache.Ticker;
import io.headgate.core.limit.Limit;
import io.headgate.core.limit.Limiter;
import io.headgate.keyed.NamedLimit;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The live keys of one name. A key goes when it has been idle for as long as an empty one needs to
 * get all its permits back, since a new key is then as good; and when there are too many of them.
 */
final class LimiterMap {

  private final Cache<String, Limiter> limiters;
  private final AtomicLong evicted = new AtomicLong();

  LimiterMap(Limit first, long maxKeys, Ticker ticker, Executor executor) {
    limiters =
        Caffeine.newBuilder()
            .maximumSize(maxKeys)
            .ticker(ticker)
            .executor(executor)
            .expireAfter(new IdleTimes(first))
            .evictionListener(
                (key, limiter, cause) -> {
                  if (cause == RemovalCause.SIZE) {
                    evicted.incrementAndGet();
                  }
                })
            .build();
  }

  /** The state of a key under the limit given, which it has from now on if it had another. */
  Limiter get(NamedLimit wanted, String key, long nowNanos) {
    Limiter limiter = limiters.getIfPresent(key);
    if (limiter != null
        && (limiter.limit() == wanted.limit() || limiter.limit().equals(wanted.limit()))) {
      return limiter;
    }
    return limiters
        .asMap()
        .compute(
            key,
            (same, present) -> {
              if (present == null) {
                return wanted.limit().newLimiter(nowNanos);
              }
              return present.limit().equals(wanted.limit())
                  ? present
                  : present.replaceBy(wanted.limit(), wanted.inheritance(), nowNanos);
            });
  }

  boolean contains(String key) {
    return limiters.asMap().containsKey(key);
  }

  long size() {
    limiters.cleanUp();
    return limiters.estimatedSize();
  }

  long evicted() {
    return evicted.get();
  }
}
