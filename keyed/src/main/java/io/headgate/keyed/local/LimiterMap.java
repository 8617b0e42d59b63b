package io.headgate.keyed.local;

import io.headgate.core.limit.Limiter;
import io.headgate.keyed.NamedLimit;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The live keys of one name. A key goes when it has been as good as a new one for some seconds, and
 * when there are too many of them: of some that are looked at, then, the one that has all its
 * permits back the soonest.
 */
final class LimiterMap {

  /*
   * A cache that drops what was not used lately, or not often, would drop who is limited and waits.
   * Only a limiter itself knows whether it is as good as new, and it is asked and retired in one
   * step, so nobody who holds it takes a permit of it afterwards.
   *
   * A hand goes round the map. Each PAUSE some request moves it by SLICE keys, and a new key beyond the
   * bound by SAMPLE at a time until there is room. Reading a key costs no more than the map.
   */

  private static final long PAUSE_NANOS = 10_000_000;
  private static final int SLICE = 256;

  /** Those in use stay, so that using them makes no objects. */
  private static final long IDLE_NANOS = 10_000_000_000L;

  private static final int SAMPLE = 64;

  private final ConcurrentHashMap<String, Limiter> limiters = new ConcurrentHashMap<>();
  private final long maxKeys;
  private final Executor executor;
  private final AtomicLong evicted = new AtomicLong();
  private final AtomicBoolean sweeping = new AtomicBoolean();
  private volatile long nextSweep;

  /** Guarded by this, as is all that moves it. */
  private Iterator<Map.Entry<String, Limiter>> hand = Collections.emptyIterator();

  LimiterMap(long maxKeys, Executor executor, long nowNanos) {
    this.maxKeys = maxKeys;
    this.executor = executor;
    nextSweep = nowNanos + PAUSE_NANOS;
  }

  /** The state of a key under the limit given, which it has from now on if it had another. */
  Limiter get(NamedLimit wanted, String key, long nowNanos) {
    if (nowNanos - nextSweep >= 0) {
      sweepNow(nowNanos);
    }
    Limiter limiter = limiters.get(key);
    if (limiter != null
        && (limiter.limit() == wanted.limit() || limiter.limit().equals(wanted.limit()))) {
      return limiter;
    }
    return limiter == null ? added(wanted, key, nowNanos) : changed(wanted, key, nowNanos);
  }

  private Limiter added(NamedLimit wanted, String key, long nowNanos) {
    Limiter created = wanted.limit().newLimiter(nowNanos);
    Limiter present = limiters.putIfAbsent(key, created);
    if (present != null) {
      return present.limit().equals(wanted.limit()) ? present : changed(wanted, key, nowNanos);
    }
    if (isOverfull()) {
      makeRoom(created, nowNanos);
    }
    return created;
  }

  private Limiter changed(NamedLimit wanted, String key, long nowNanos) {
    return limiters.compute(
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

  /** Drops a limiter that was found to be retired, in case that whoever retired it is held up. */
  void forget(String key, Limiter retired) {
    limiters.remove(key, retired);
  }

  boolean contains(String key) {
    return limiters.containsKey(key);
  }

  /** The keys that are left once all that are as good as new are gone. */
  synchronized long size(long nowNanos) {
    limiters.forEach((key, limiter) -> dropIfUnused(key, limiter, 0, nowNanos));
    return limiters.size();
  }

  long evicted() {
    return evicted.get();
  }

  private void sweepNow(long nowNanos) {
    if (sweeping.compareAndSet(false, true)) {
      nextSweep = nowNanos + PAUSE_NANOS;
      try {
        executor.execute(() -> sweep(nowNanos));
      } catch (RejectedExecutionException e) {
        sweep(nowNanos); // the executor is closed or full, and keys must go all the same
      } finally {
        sweeping.set(false);
      }
    }
  }

  private synchronized void sweep(long nowNanos) {
    for (int i = 0; i < SLICE; i++) {
      Map.Entry<String, Limiter> entry = next();
      if (entry == null) {
        return;
      }
      dropIfUnused(entry.getKey(), entry.getValue(), IDLE_NANOS, nowNanos);
      if (!hand.hasNext()) {
        return; // once around is enough
      }
    }
  }

  private synchronized void makeRoom(Limiter newest, long nowNanos) {
    while (isOverfull()) {
      Map.@Nullable Entry<String, Limiter> soonest = null;
      long soonestReset = 0;
      for (int i = 0; i < SAMPLE && isOverfull(); i++) {
        Map.Entry<String, Limiter> entry = next();
        if (entry == null
            || entry.getValue() == newest
            || dropIfUnused(entry.getKey(), entry.getValue(), 0, nowNanos)) {
          continue;
        }
        long reset = entry.getValue().resetAt(nowNanos);
        if (soonest == null || reset - soonestReset < 0) {
          soonest = entry;
          soonestReset = reset;
        }
      }
      if (soonest != null
          && isOverfull()
          && limiters.remove(soonest.getKey(), soonest.getValue())) {
        soonest.getValue().discard(nowNanos);
        evicted.incrementAndGet();
      }
    }
  }

  private boolean isOverfull() {
    return limiters.mappingCount() > maxKeys;
  }

  private Map.@Nullable Entry<String, Limiter> next() {
    if (!hand.hasNext()) {
      hand = limiters.entrySet().iterator();
    }
    return hand.hasNext() ? hand.next() : null;
  }

  private boolean dropIfUnused(String key, Limiter limiter, long idleNanos, long nowNanos) {
    return limiter.retireIfUnused(idleNanos, nowNanos) && limiters.remove(key, limiter);
  }
}
