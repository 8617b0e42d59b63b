package io.headgate.envoy.ratelimit;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.headgate.core.limit.Decision;
import io.headgate.envoy.ratelimit.rules.RateLimit;
import io.headgate.envoy.ratelimit.rules.RateLimitRules;
import io.headgate.envoy.ratelimit.stats.DescriptorStats;
import io.headgate.envoy.ratelimit.stats.RateLimitStats;
import io.headgate.envoy.ratelimit.stats.RateLimitStats.Event;
import io.headgate.keyed.Charge;
import io.headgate.keyed.Hit;
import io.headgate.keyed.KeyedDecision;
import io.headgate.keyed.KeyedLimiter;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides on the requests of Envoy's rate limit filter: finds the limits that the descriptors of a
 * request meet, and takes its hits from all of them or from none.
 *
 * <p>It never waits: an answer is made on the thread that brought the counts. What counts has a
 * little time, and when it does not answer in it, the outage policy does.
 */
public final class RateLimitService {

  /** What is kept of a call's own time for the way of the answer. */
  private static final long WAY_NANOS = 2_000_000;

  /** The request has no domain, or no descriptors. */
  public static final class InvalidRequest extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private InvalidRequest(String message) {
      super(message);
    }
  }

  private final Supplier<RateLimitRules> rules;
  private final KeyedLimiter limiter;
  private final ServiceSettings settings;
  private final RateLimitStats stats;
  private final LongSupplier nanoClock;
  private final LongSupplier epochMillis;
  private final ScheduledExecutorService timer;
  private final Outage outage;
  private final Headers headers;
  private final long patienceNanos;

  /**
   * Creates one.
   *
   * @param rules the rules in force
   * @param limiter what counts, in no more than the time that the settings have for it
   * @param nanoClock the clock of {@code limiter}
   * @param epochMillis the time of day
   * @param timer for calls that have less time than what counts may take
   */
  public RateLimitService(
      Supplier<RateLimitRules> rules,
      KeyedLimiter limiter,
      ServiceSettings settings,
      RateLimitStats stats,
      LongSupplier nanoClock,
      LongSupplier epochMillis,
      ScheduledExecutorService timer) {
    this.rules = rules;
    this.limiter = limiter;
    this.settings = settings;
    this.stats = stats;
    this.nanoClock = nanoClock;
    this.epochMillis = epochMillis;
    this.timer = timer;
    outage = new Outage(settings.outagePolicy(), nanoClock);
    headers = new Headers(settings.headers());
    long within = settings.answerWithin().toNanos();
    patienceNanos = within + within / 4 + WAY_NANOS;
  }

  /** What this service has done. */
  public RateLimitStats stats() {
    return stats;
  }

  /**
   * Decides on a request.
   *
   * @param timeLeftNanos how long somebody waits for the answer; {@link Long#MAX_VALUE} if for ever
   * @return fails only by a defect
   * @throws InvalidRequest if the request has no domain or no descriptors
   */
  public CompletionStage<RateLimitResponse> decide(RateLimitRequest request, long timeLeftNanos) {
    require(!request.getDomain().isEmpty(), "rate limit domain must not be empty");
    require(request.getDescriptorsCount() > 0, "rate limit descriptor list must not be empty");
    RateLimitRules inForce = rules.get();
    if (!inForce.has(request.getDomain())) {
      stats.count(Event.UNKNOWN_DOMAIN);
    }
    Plan plan = Plan.of(request, inForce, settings);
    if (plan.restored().isEmpty()) {
      return ask(plan, timeLeftNanos).thenApply(charge -> answer(plan, charge, null));
    }
    CompletionStage<KeyedDecision> restored =
        inTime(
            limiter.restore(plan.restored()),
            () -> outage.answer(probes(plan.restored())),
            timeLeftNanos);
    return ask(plan, timeLeftNanos)
        .thenCombine(restored, (charge, back) -> answer(plan, charge, back));
  }

  private void require(boolean holds, String message) {
    if (!holds) {
      stats.count(Event.INVALID);
      throw new InvalidRequest(message);
    }
  }

  private CompletionStage<@Nullable Charge> ask(Plan plan, long timeLeftNanos) {
    List<Hit> hits = plan.asked();
    if (hits.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    CompletionStage<Charge> asked =
        plan.hasQuotas()
            ? limiter.charge(hits)
            : limiter.check(hits).thenApply(decision -> new Charge(decision, Charge.NOTHING));
    return inTime(asked, () -> new Charge(outage.answer(hits), Charge.NOTHING), timeLeftNanos);
  }

  private static List<Hit> probes(List<Hit> hits) {
    return hits.stream().map(hit -> new Hit(hit.limit(), hit.key(), 0)).toList();
  }

  /** What counts keeps its time by itself; only a call with less time than that needs a watch. */
  private <T> CompletionStage<@Nullable T> inTime(
      CompletionStage<T> asked, Supplier<T> otherwise, long timeLeftNanos) {
    CompletableFuture<T> counted = asked.toCompletableFuture();
    if (counted.isDone() && !counted.isCompletedExceptionally()) {
      return counted;
    }
    CompletableFuture<@Nullable T> answer = new CompletableFuture<>();
    ScheduledFuture<?> hurry = null;
    if (timeLeftNanos < patienceNanos && !counted.isDone()) {
      hurry =
          timer.schedule(
              () -> {
                if (!answer.isDone()) {
                  stats.count(Event.HURRIED);
                  answer.complete(otherwise.get());
                }
              },
              Math.max(0, timeLeftNanos - WAY_NANOS),
              TimeUnit.NANOSECONDS);
    }
    ScheduledFuture<?> pending = hurry;
    counted.whenComplete(
        (said, failure) -> {
          if (pending != null) {
            pending.cancel(false);
          }
          if (failure == null) {
            answer.complete(said);
          } else if (!answer.isDone()) {
            stats.count(Event.FAILED);
            answer.complete(otherwise.get());
          }
        });
    return answer;
  }

  private RateLimitResponse answer(
      Plan plan, @Nullable Charge charge, @Nullable KeyedDecision restored) {
    KeyedDecision asked = charge == null ? null : charge.decision();
    if (asked != null && asked.degraded()) {
      stats.count(Event.DEGRADED);
      asked = outage.answerTo(asked, plan.asked());
    }
    Answer answer =
        new Answer(plan, asked, restored, nanoClock.getAsLong(), epochMillis.getAsLong());
    if (charge != null && answer.isRefusedAfterTaking()) {
      charge.giveBack().run();
    }
    if (asked != null && !asked.degraded()) {
      useUp(answer);
    }
    count(answer);
    RateLimitResponse.Builder response = answer.response();
    headers.add(answer, response);
    if (settings.responseMetadata()) {
      response.setDynamicMetadata(ResponseMetadata.of(answer));
    }
    return response.build();
  }

  /**
   * Several hits that are too many use up what is left, as in envoyproxy/ratelimit: a request that
   * says afterwards what it has used must not be forgotten because it has used too much.
   */
  private void useUp(Answer answer) {
    List<Hit> asked = answer.plan().asked();
    for (int i = 0; i < answer.plan().descriptors(); i++) {
      Decision decision = answer.decision(i);
      if (decision != null
          && answer.isOver(i)
          && decision.remaining() > 0
          && !answer.plan().isBanned()) {
        Hit hit = asked.get(answer.plan().place(i));
        var unused = limiter.check(List.of(new Hit(hit.limit(), hit.key(), decision.remaining())));
      }
    }
  }

  private void count(Answer answer) {
    Plan plan = answer.plan();
    boolean refused = answer.isRefused();
    boolean over = false;
    for (int i = 0; i < plan.descriptors(); i++) {
      RateLimit limit = plan.limit(i);
      if (limit == null) {
        stats.count(Event.UNMATCHED);
      } else if (!plan.isNegative(i)) {
        DescriptorStats counts = stats.of(plan.metric(i));
        boolean inShadow = limit.isShadow() || settings.shadow();
        if (answer.isOver(i)) {
          over |= !limit.isShadow();
          counts.refused(plan.hits(i), inShadow);
        } else {
          counts.passed(plan.hits(i), used(answer, i, limit), nearAbove(limit));
        }
      }
    }
    stats.count(refused ? Event.OVER_LIMIT : Event.OK);
    if (over && settings.shadow()) {
      stats.count(Event.GLOBAL_SHADOW);
    }
  }

  private static long used(Answer answer, int i, RateLimit limit) {
    Decision decision = answer.decision(i);
    return decision == null ? 0 : limit.requestsPerUnit() - decision.remaining();
  }

  private long nearAbove(RateLimit limit) {
    return (long) Math.floor(limit.requestsPerUnit() * settings.nearLimitRatio());
  }
}
