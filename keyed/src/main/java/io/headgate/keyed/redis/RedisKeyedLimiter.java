package io.headgate.keyed.redis;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.headgate.core.limit.Decision;
import io.headgate.keyed.Charge;
import io.headgate.keyed.Hit;
import io.headgate.keyed.KeyedDecision;
import io.headgate.keyed.KeyedLimiter;
import io.headgate.keyed.KeyedListener;
import io.headgate.keyed.NamedLimit;
import io.headgate.keyed.Verdicts;
import io.headgate.keyed.local.LocalKeyedLimiter;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A keyed limiter whose counts are in Redis: one true count over all replicas. A decision on one
 * limit is one script on one key in one round trip, by the server's clock.
 *
 * <p>While Redis does not answer, the {@link OutagePolicy} does, after a few failures in a row
 * without asking Redis. With {@link OutagePolicy#LOCAL}, the keys that were counted here during an
 * outage must pass their share too until all their permits would be back, so that a Redis that
 * comes back empty gives nobody a second limit.
 *
 * <p>Several limits on one request are one script, and so one step, if one server has all of their
 * keys: always but in a cluster, and there if they are limits of the same key. Otherwise, and while
 * an outage policy answers for one of them, they are asked at the same time and what a denied
 * request took is given back; in between, others may be denied for it.
 */
public final class RedisKeyedLimiter implements KeyedLimiter {

  private static final System.Logger LOG = System.getLogger(RedisKeyedLimiter.class.getName());
  private static final long NEVER = Long.MIN_VALUE;
  private static final int MAX_LIMITS = 10_000;
  private static final Runnable NOTHING = Charge.NOTHING;

  /** What one limit said, and how to give back what was taken. */
  private record Answer(Decision decision, boolean degraded, Runnable giveBack) {

    void undo() {
      if (decision.allowed()) {
        giveBack.run();
      }
    }

    Answer withoutUndo() {
      return new Answer(decision, degraded, NOTHING);
    }
  }

  private final Store store;
  private final String prefix;
  private final Scripts scripts;
  private final OutagePolicy policy;
  private final int replicas;
  private final LongSupplier nanoClock;
  private final KeyedListener listener;
  private final CircuitBreaker breaker;
  private final long pauseNanos;
  private final LocalKeyedLimiter local;
  private final @Nullable OverMemory over;
  private final LoadingCache<NamedLimit, ScriptCall> calls;
  private final LostStates lost = new LostStates();
  private volatile long lastOutage = NEVER;

  RedisKeyedLimiter(RedisKeyedLimiterBuilder builder, Store store, Scripts scripts) {
    this.store = store;
    this.scripts = scripts;
    prefix = builder.prefix;
    policy = builder.policy;
    replicas = builder.replicas;
    nanoClock = builder.nanoClock;
    listener = builder.listener;
    pauseNanos = builder.pause.toNanos();
    breaker = new CircuitBreaker(builder.failuresToOpen, pauseNanos);
    local = LocalKeyedLimiter.builder().nanoClock(nanoClock).maxKeys(builder.maxLocalKeys).build();
    over = builder.rememberedKeys == 0 ? null : new OverMemory(builder.rememberedKeys);
    calls =
        Caffeine.newBuilder()
            .maximumSize(MAX_LIMITS)
            .executor(Runnable::run)
            .build(limit -> ScriptCall.of(limit, scripts));
  }

  /** Settings, each with its default. */
  public static RedisKeyedLimiterBuilder builder() {
    return new RedisKeyedLimiterBuilder();
  }

  @Override
  public void require(NamedLimit limit) {
    ScriptCall.of(limit, scripts);
  }

  /** The script that decides on a limit, to load it or to look at it. */
  public String scriptOf(NamedLimit limit) {
    return ScriptCall.of(limit, scripts).script().body();
  }

  /** The arguments with which that script takes permits. */
  public String[] argumentsOf(NamedLimit limit, long cost) {
    return ScriptCall.of(limit, scripts).take(new Hit(limit, "", cost));
  }

  /** Whether Redis is taken as gone, so that the outage policy answers. */
  public boolean isDegraded() {
    return breaker.isOpen();
  }

  /**
   * How often a key was found without a state though it lacked permits: Redis had lost it, and the
   * key began anew. A thousand keys at most are watched at a time, so that more may be lost.
   */
  public long lostStates() {
    return lost.count();
  }

  @Override
  public CompletionStage<KeyedDecision> check(List<Hit> hits) {
    return charge(hits).thenApply(Charge::decision);
  }

  @Override
  public CompletionStage<Charge> charge(List<Hit> hits) {
    Hit.require(hits);
    if (hits.size() == 1) {
      return ask(hits.get(0)).thenApply(answer -> conclude(hits, List.of(answer)));
    }
    long now = nanoClock.getAsLong();
    List<String> keys = hits.stream().map(hit -> ScriptCall.key(prefix, hit)).toList();
    CompletionStage<List<Answer>> answers =
        isOneStep(hits, keys, now) ? askTogether(hits, keys, now) : askEach(hits);
    return answers.thenApply(all -> conclude(hits, all));
  }

  @Override
  public CompletionStage<KeyedDecision> restore(List<Hit> hits) {
    Hit.require(hits);
    List<CompletableFuture<Answer>> asked = new ArrayList<>(hits.size());
    for (Hit hit : hits) {
      asked.add(restore(hit).toCompletableFuture());
    }
    return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
        .thenApply(
            all -> {
              List<Answer> answers = asked.stream().map(CompletableFuture::join).toList();
              return Verdicts.of(
                  hits,
                  answers.stream().map(Answer::decision).toList(),
                  answers.stream().anyMatch(Answer::degraded));
            });
  }

  private CompletionStage<Answer> restore(Hit hit) {
    long now = nanoClock.getAsLong();
    ScriptCall call = calls.get(hit.limit());
    String key = ScriptCall.key(prefix, hit);
    if (over != null) {
      over.forget(key);
    }
    if (!breaker.allows(now)) {
      return CompletableFuture.completedFuture(restoreHere(hit, now));
    }
    return store
        .run(call.script(), List.of(key), call.restore(hit))
        .handle(
            (reply, failure) -> {
              long answered = nanoClock.getAsLong();
              if (failure != null) {
                failed(failure, answered);
                return restoreHere(hit, answered);
              }
              succeeded();
              return new Answer(Replies.restored(hit, reply, answered), false, NOTHING);
            });
  }

  /** Without Redis: to the share of this replica, if that is what counts meanwhile. */
  private Answer restoreHere(Hit hit, long now) {
    if (policy == OutagePolicy.LOCAL) {
      NamedLimit share = LocalShare.of(hit.limit(), replicas);
      local.restored(List.of(new Hit(share, hit.key(), hit.cost())));
    }
    return outage(probeOf(hit), now);
  }

  private Charge conclude(List<Hit> hits, List<Answer> answers) {
    List<Decision> decisions = new ArrayList<>(answers.size());
    boolean degraded = false;
    for (Answer answer : answers) {
      decisions.add(answer.decision);
      degraded |= answer.degraded;
    }
    KeyedDecision decision = Verdicts.of(hits, decisions, degraded);
    Runnable giveBack = () -> answers.forEach(Answer::undo);
    if (!decision.allowed()) {
      giveBack.run();
      giveBack = NOTHING;
    }
    listener.tell(hits, decision);
    return new Charge(decision, giveBack);
  }

  private CompletionStage<List<Answer>> askEach(List<Hit> hits) {
    List<CompletableFuture<Answer>> asked = new ArrayList<>(hits.size());
    for (Hit hit : hits) {
      asked.add(ask(hit).toCompletableFuture());
    }
    return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
        .thenApply(all -> asked.stream().map(CompletableFuture::join).toList());
  }

  /** Whether one script can decide, as no hit has an answer from elsewhere. */
  private boolean isOneStep(List<Hit> hits, List<String> keys, long now) {
    for (int i = 0; i < hits.size(); i++) {
      Hit hit = hits.get(i);
      if (hit.cost() > hit.limit().limit().limit()
          || isRecovering(hit, now)
          || (over != null && over.recall(keys.get(i), hit, now) != null)) {
        return false;
      }
    }
    return store.isOnePlace(keys);
  }

  private CompletionStage<List<Answer>> askTogether(List<Hit> hits, List<String> keys, long now) {
    if (!breaker.allows(now)) {
      return CompletableFuture.completedFuture(outages(hits, now));
    }
    List<String> arguments = new ArrayList<>();
    hits.forEach(hit -> calls.get(hit.limit()).take(hit, arguments));
    return store
        .run(scripts.joint(), keys, arguments.toArray(String[]::new))
        .handle(
            (reply, failure) -> {
              long answered = nanoClock.getAsLong();
              if (failure != null) {
                failed(failure, answered);
                return outages(hits, answered);
              }
              succeeded();
              boolean refused = false;
              for (int i = 0; i < hits.size(); i++) {
                refused |= reply.get(Replies.SIZE * i) == 0 && !hits.get(i).limit().shadow();
              }
              List<Answer> answers = new ArrayList<>(hits.size());
              for (int i = 0; i < hits.size(); i++) {
                List<Long> own = reply.subList(Replies.SIZE * i, Replies.SIZE * (i + 1));
                Answer answer =
                    answer(hits.get(i), calls.get(hits.get(i).limit()), keys.get(i), own, now);
                // The script has given back already what a refused request took.
                answers.add(refused ? answer.withoutUndo() : answer);
              }
              return answers;
            });
  }

  private List<Answer> outages(List<Hit> hits, long now) {
    return hits.stream().map(hit -> outage(hit, now)).toList();
  }

  private CompletionStage<Answer> ask(Hit hit) {
    long now = nanoClock.getAsLong();
    ScriptCall call = calls.get(hit.limit());
    String key = ScriptCall.key(prefix, hit);
    Decision known = over == null ? null : over.recall(key, hit, now);
    if (known != null) {
      return CompletableFuture.completedFuture(new Answer(known, false, NOTHING));
    }
    if (!breaker.allows(now)) {
      return CompletableFuture.completedFuture(outage(hit, now));
    }
    if (hit.cost() > hit.limit().limit().limit()) {
      return askInRedis(probeOf(hit), call, key).thenApply(RedisKeyedLimiter::hopeless);
    }
    if (!isRecovering(hit, now)) {
      return askInRedis(hit, call, key);
    }
    Answer share = share(hit, now);
    if (!share.decision.allowed()) {
      if (breaker.isOpen()) {
        // This request was let through to see whether Redis is back, and nobody else is for a
        // while.
        CompletionStage<Answer> probe = askInRedis(probeOf(hit), call, key);
        return probe.thenApply(answer -> share);
      }
      return CompletableFuture.completedFuture(share);
    }
    return askInRedis(hit, call, key).thenApply(answer -> withShare(answer, share));
  }

  private static Hit probeOf(Hit hit) {
    return new Hit(hit.limit(), hit.key(), 0);
  }

  private static Answer hopeless(Answer probe) {
    Decision seen = probe.decision;
    return new Answer(
        new Decision(false, seen.limit(), seen.remaining(), seen.resetAtNanos(), Decision.NEVER),
        probe.degraded,
        NOTHING);
  }

  private CompletionStage<Answer> askInRedis(Hit hit, ScriptCall call, String key) {
    long asked = nanoClock.getAsLong();
    return store
        .run(call.script(), List.of(key), call.take(hit))
        .handle(
            (reply, failure) -> {
              if (failure != null) {
                long now = nanoClock.getAsLong();
                failed(failure, now);
                return outage(hit, now);
              }
              succeeded();
              return answer(hit, call, key, reply, asked);
            });
  }

  private void failed(Throwable failure, long now) {
    if (breaker.failed(now)) {
      LOG.log(Level.WARNING, "Redis does not answer, " + policy + " does: " + failure);
    }
  }

  private void succeeded() {
    if (breaker.succeeded()) {
      LOG.log(Level.INFO, "Redis answers again");
    }
  }

  private Answer answer(Hit hit, ScriptCall call, String key, List<Long> reply, long asked) {
    long now = nanoClock.getAsLong();
    Decision decision = Replies.taken(hit, reply, now);
    lost.saw(key, Replies.hadState(reply), asked, now, Replies.resetNanos(reply));
    if (over != null) {
      over.remember(key, hit, decision, now);
    }
    return new Answer(
        decision,
        false,
        () -> store.run(call.script(), List.of(key), call.refund(hit, Replies.stamp(reply))));
  }

  private Answer outage(Hit hit, long now) {
    long limit = hit.limit().limit().limit();
    return switch (policy) {
      case OPEN -> new Answer(new Decision(true, limit, limit, now, 0), true, NOTHING);
      case CLOSED ->
          new Answer(new Decision(false, limit, 0, now + pauseNanos, pauseNanos), true, NOTHING);
      case LOCAL -> {
        lastOutage = now;
        yield share(hit, now);
      }
    };
  }

  /** What the share of this replica says, by the count in this process. */
  private Answer share(Hit hit, long now) {
    NamedLimit share = LocalShare.of(hit.limit(), replicas);
    Hit part = new Hit(share, hit.key(), hit.cost());
    Decision decision = local.decide(List.of(part)).decision();
    return new Answer(decision, true, () -> local.refund(part, now));
  }

  private boolean isRecovering(Hit hit, long now) {
    long outage = lastOutage;
    return outage != NEVER
        && now - outage < hit.limit().limit().longestResetNanos() * replicas
        && local.isKept(hit.limit().name(), hit.key());
  }

  private static Answer withShare(Answer answer, Answer share) {
    if (answer.degraded) {
      share.giveBack.run(); // it asked the share once more
      return answer;
    }
    if (!answer.decision.allowed()) {
      share.giveBack.run();
    }
    return new Answer(
        answer.decision,
        false,
        () -> {
          answer.giveBack.run();
          share.giveBack.run();
        });
  }

  @Override
  public void close() {
    store.close();
  }
}
