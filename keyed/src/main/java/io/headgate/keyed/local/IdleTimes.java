package io.headgate.keyed.local;

import com.github.benmanes.caffeine.cache.Expiry;
import io.headgate.core.limit.Limit;
import io.headgate.core.limit.Limiter;

/**
 * A key may go when nobody has asked for it for as long as it needs to get all its permits back. A
 * key's state alone would not do: it changes without the map being told.
 */
final class IdleTimes implements Expiry<String, Limiter> {

  /** How long it takes for a limit, which is worth remembering since most keys share one. */
  private record Known(Limit limit, long nanos) {

    static Known of(Limit limit) {
      return new Known(limit, limit.longestResetNanos());
    }
  }

  private volatile Known latest;

  IdleTimes(Limit first) {
    latest = Known.of(first);
  }

  private long nanos(Limiter limiter) {
    Known known = latest;
    if (known.limit != limiter.limit()) {
      known = Known.of(limiter.limit());
      latest = known;
    }
    return known.nanos;
  }

  @Override
  public long expireAfterCreate(String key, Limiter limiter, long currentTime) {
    return nanos(limiter);
  }

  @Override
  public long expireAfterUpdate(
      String key, Limiter limiter, long currentTime, long currentDuration) {
    return nanos(limiter);
  }

  @Override
  public long expireAfterRead(String key, Limiter limiter, long currentTime, long currentDuration) {
    return nanos(limiter);
  }
}
