package io.headgate.keyed.local;

import io.headgate.core.limit.Decision;
import io.headgate.core.limit.JointDecision;
import io.headgate.core.limit.Limiter;
import io.headgate.keyed.Charge;
import io.headgate.keyed.Hit;
import io.headgate.keyed.KeyedDecision;
import io.headgate.keyed.KeyedLimiter;
import io.headgate.keyed.KeyedListener;
import io.headgate.keyed.NamedLimit;
import io.headgate.keyed.Verdicts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
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
 * <p>For each name of a limit it keeps at most {@code maxKeys} keys. A key is dropped when its
 * state is that of a new one. Only when there are too many keys that are not is one dropped that is
 * limited still, and starts anew; see {@link #evicted}.
 *
 * <p>Several limits on one request are one step: nobody ever sees permits gone that a refused
 * request wanted.
 */
public final class LocalKeyedLimiter implements KeyedLimiter {

  /** In which all requests hold their limiters, so that no two wait for each other. */
  private static final Comparator<Hit> HOLDING_ORDER =
      Comparator.comparing((Hit hit) -> hit.limit().name()).thenComparing(Hit::key);

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
    while (true) {
      Limiter limiter = map.get(limit, key, now);
      long taken = limiter.take(cost, now);
      if (taken != Limiter.RETIRED) {
        return taken >= 0;
      }
      map.forget(key, limiter);
    }
  }

  /** What {@link #check} answers, at once. */
  public KeyedDecision decide(List<Hit> hits) {
    return conclude(hits, ask(hits, nanoClock.getAsLong()));
  }

  private List<Decision> ask(List<Hit> hits, long now) {
    Hit.require(hits);
    return hits.size() == 1 ? List.of(acquire(hits.get(0), now)) : acquireAll(hits, now);
  }

  private KeyedDecision conclude(List<Hit> hits, List<Decision> decisions) {
    KeyedDecision decision = Verdicts.of(hits, decisions, false);
    listener.tell(hits, decision);
    return decision;
  }

  @Override
  public CompletionStage<KeyedDecision> check(List<Hit> hits) {
    return CompletableFuture.completedFuture(decide(hits));
  }

  @Override
  public CompletionStage<Charge> charge(List<Hit> hits) {
    long now = nanoClock.getAsLong();
    List<Decision> decisions = ask(hits, now);
    KeyedDecision decision = conclude(hits, decisions);
    return CompletableFuture.completedFuture(
        new Charge(
            decision, decision.allowed() ? () -> giveBack(hits, decisions, now) : Charge.NOTHING));
  }

  /** A limit in shadow that had not the permits was not charged. */
  private void giveBack(List<Hit> hits, List<Decision> decisions, long takenAtNanos) {
    for (int i = 0; i < hits.size(); i++) {
      if (decisions.get(i).allowed()) {
        refund(hits.get(i), takenAtNanos);
      }
    }
  }

  @Override
  public CompletionStage<KeyedDecision> restore(List<Hit> hits) {
    return CompletableFuture.completedFuture(restored(hits));
  }

  /** What {@link #restore} answers, at once. */
  public KeyedDecision restored(List<Hit> hits) {
    Hit.require(hits);
    long now = nanoClock.getAsLong();
    List<Decision> decisions = new ArrayList<>(hits.size());
    for (Hit hit : hits) {
      LimiterMap map = map(hit.limit());
      Limiter limiter = map.get(hit.limit(), hit.key(), now);
      while (limiter.restore(hit.cost(), now) < 0) {
        map.forget(hit.key(), limiter);
        limiter = map.get(hit.limit(), hit.key(), now);
      }
      decisions.add(limiter.acquire(0, now));
    }
    return Verdicts.of(hits, decisions, false);
  }

  @Override
  public long leastWaitNanos(NamedLimit limit, String key, long permits) {
    long now = nanoClock.getAsLong();
    return map(limit).get(limit, key, now).waitFor(permits, now);
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

  /** Whether a key is kept, which it is while it lacks permits. */
  public boolean isKept(String name, String key) {
    LimiterMap map = maps.get(name);
    return map != null && map.contains(key);
  }

  /** The keys that are kept for the limit of a name. */
  public long keys(String name) {
    LimiterMap map = maps.get(name);
    return map == null ? 0 : map.size(nanoClock.getAsLong());
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
      map.forget(hit.key(), limiter);
    }
  }

  private List<Decision> acquireAll(List<Hit> hits, long now) {
    Integer[] order = new Integer[hits.size()];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, Comparator.comparing(hits::get, HOLDING_ORDER));
    while (true) {
      List<JointDecision.Wish> wishes = new ArrayList<>(order.length);
      for (int i : order) {
        Hit hit = hits.get(i);
        Limiter limiter = map(hit.limit()).get(hit.limit(), hit.key(), now);
        wishes.add(new JointDecision.Wish(limiter, hit.cost(), !hit.limit().shadow()));
      }
      List<Decision> ordered = JointDecision.acquire(wishes, now);
      if (ordered != null) {
        Decision[] decisions = new Decision[order.length];
        for (int i = 0; i < order.length; i++) {
          decisions[order[i]] = ordered.get(i);
        }
        return List.of(decisions);
      }
      forgetRetired(hits, wishes, order);
    }
  }

  private void forgetRetired(List<Hit> hits, List<JointDecision.Wish> wishes, Integer[] order) {
    for (int i = 0; i < order.length; i++) {
      Limiter limiter = wishes.get(i).limiter();
      if (limiter.isRetired()) {
        Hit hit = hits.get(order[i]);
        map(hit.limit()).forget(hit.key(), limiter);
      }
    }
  }

  private LimiterMap map(NamedLimit limit) {
    LimiterMap map = maps.get(limit.name());
    return map != null
        ? map
        : maps.computeIfAbsent(
            limit.name(), name -> new LimiterMap(maxKeys, executor, nanoClock.getAsLong()));
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
