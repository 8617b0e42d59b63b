package io.headgate.keyed.local;

import com.github.benmanes.caffeine.cache.Ticker;
import io.headgate.core.limit.Decision;
import io.headgate.core.limit.Limiter;
import io.headgate.keyed.Hit;
import io.headgate.keyed.KeyedDecision;
import io.headgate.keyed.KeyedLimiter;
import io.headgate.keyed.KeyedListener;
import io.headgate.keyed.NamedLimit;
import io.headgate.keyed.Verdicts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * A keyed limiter whose counts are in this process: exact for this process, and nothing can fail.
 *
 * <p>For each name of a limit it keeps at most {@code maxKeys} keys. A key is dropped when it has
 * been idle for so long that its permits are all back. Only when there are more keys than that is
 * one dropped that may be limited still, and starts anew; see {@link #evicted}.
 */
public final class LocalKeyedLimiter implements KeyedLimiter {

  private final ConcurrentMap<String, LimiterMap> maps = new ConcurrentHashMap<>();
  private final long maxKeys;
  private final LongSupplier nanoClock;
  private final Executor executor;
  private final KeyedListener listener;

  private LocalKeyedLimiter(Builder builder) {
    maxKeys = builder.maxKeys;
    nanoClock = builder.nanoClock;
    executor = builder.executor;
    listener = builder.listener;
  }

  /** A limiter with the default settings. */
  public static LocalKeyedLimiter create() {
    return builder().build();
  }

  /** Settings, each with its default. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Takes {@code cost} permits of one limit, without an object made or a listener told: the way to
   * ask where nanoseconds count. A limit in shadow answers what it counted.
   *
   * @throws IllegalArgumentException if the cost is negative
   */
  public boolean tryAcquire(NamedLimit limit, String key, long cost) {
    LimiterMap map = map(limit);
    long now = nanoClock.getAsLong();
    long taken;
    do {
      taken = map.get(limit, key, now).take(cost, now);
    } while (taken == Limiter.RETIRED);
    return taken >= 0;
  }

  /** What {@link #check} answers, at once. */
  public KeyedDecision decide(List<Hit> hits) {
    if (hits.isEmpty()) {
      throw new IllegalArgumentException("hits: none (expected: one at least)");
    }
    long now = nanoClock.getAsLong();
    List<Decision> decisions = new ArrayList<>(hits.size());
    for (Hit hit : hits) {
      decisions.add(acquire(hit, now));
    }
    KeyedDecision decision = Verdicts.of(hits, decisions, false);
    if (!decision.allowed()) {
      giveBack(hits, decisions, now);
    }
    listener.tell(hits, decision);
    return decision;
  }

  @Override
  public CompletionStage<KeyedDecision> check(List<Hit> hits) {
    return CompletableFuture.completedFuture(decide(hits));
  }

  /**
   * Gives permits back that a request took and did not use.
   *
   * @param takenAtNanos when they were taken, on this limiter's clock
   */
  public boolean refund(Hit hit, long takenAtNanos) {
    long now = nanoClock.getAsLong();
    return map(hit.limit()).get(hit.limit(), hit.key(), now).refund(hit.cost(), takenAtNanos, now);
  }

  /** Whether a key is kept, which it is while it may lack permits. */
  public boolean isKept(String name, String key) {
    LimiterMap map = maps.get(name);
    return map != null && map.contains(key);
  }

  /** The keys that are kept for the limit of a name. */
  public long keys(String name) {
    LimiterMap map = maps.get(name);
    return map == null ? 0 : map.size();
  }

  /** How many keys were dropped because there were too many, though they may have been limited. */
  public long evicted(String name) {
    LimiterMap map = maps.get(name);
    return map == null ? 0 : map.evicted();
  }

  /** Nothing to give back. */
  @Override
  public void close() {}

  private Decision acquire(Hit hit, long now) {
    LimiterMap map = map(hit.limit());
    while (true) {
      Limiter limiter = map.get(hit.limit(), hit.key(), now);
      Decision decision = limiter.acquire(hit.cost(), now);
      // A denial without a wait is that of a limiter that has just been replaced.
      if (decision.allowed() || decision.retryAfterNanos() > 0) {
        return decision;
      }
    }
  }

  private void giveBack(List<Hit> hits, List<Decision> decisions, long now) {
    for (int i = 0; i < hits.size(); i++) {
      Hit hit = hits.get(i);
      if (decisions.get(i).allowed()) {
        map(hit.limit()).get(hit.limit(), hit.key(), now).refund(hit.cost(), now, now);
      }
    }
  }

  private LimiterMap map(NamedLimit limit) {
    LimiterMap map = maps.get(limit.name());
    return map != null
        ? map
        : maps.computeIfAbsent(
            limit.name(), name -> new LimiterMap(limit.limit(), maxKeys, ticker(), executor));
  }

  private Ticker ticker() {
    return nanoClock::getAsLong;
  }

  /** Settings of a {@link LocalKeyedLimiter}. */
  public static final class Builder {

    private long maxKeys = 1_000_000;
    private LongSupplier nanoClock = System::nanoTime;
    private Executor executor = Runnable::run;
    private KeyedListener listener = KeyedListener.NONE;

    private Builder() {}

    /**
     * The most keys that are kept for each name; a million by default.
     *
     * @throws IllegalArgumentException if it is below 1
     */
    public Builder maxKeys(long keys) {
      if (keys < 1) {
        throw new IllegalArgumentException("maxKeys: " + keys + " (expected: 1 or more)");
      }
      maxKeys = keys;
      return this;
    }

    /** The clock, in nanoseconds from any origin; {@link System#nanoTime} by default. */
    public Builder nanoClock(LongSupplier clock) {
      nanoClock = clock;
      return this;
    }

    /** Where keys are cleared away; on the thread of the request by default. */
    public Builder executor(Executor value) {
      executor = value;
      return this;
    }

    /** Who hears of each decision of {@link #check}; nobody by default. */
    public Builder listener(KeyedListener value) {
      listener = value;
      return this;
    }

    /** A limiter with these settings. */
    public LocalKeyedLimiter build() {
      return new LocalKeyedLimiter(this);
    }
  }
}
