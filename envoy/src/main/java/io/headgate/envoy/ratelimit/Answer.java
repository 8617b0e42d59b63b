package io.headgate.envoy.ratelimit;

import com.google.protobuf.Duration;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.headgate.core.limit.Decision;
import io.headgate.envoy.ratelimit.rules.LimitUnit;
import io.headgate.envoy.ratelimit.rules.RateLimit;
import io.headgate.keyed.KeyedDecision;
import org.jspecify.annotations.Nullable;

/** What became of a plan, and how the service says it. */
final class Answer {

  private static final DescriptorStatus WITHOUT_LIMIT =
      DescriptorStatus.newBuilder().setCode(Code.OK).build();
  private static final DescriptorStatus UNLIMITED =
      DescriptorStatus.newBuilder()
          .setCode(Code.OK)
          .setLimitRemaining(RateLimit.UNLIMITED_REMAINING)
          .build();

  private static final long MAX_REMAINING = 0xFFFF_FFFFL;

  private final Plan plan;
  private final @Nullable KeyedDecision asked;
  private final @Nullable KeyedDecision restored;
  private final boolean allQuotasOver;
  private final long nowNanos;
  private final long epochMillis;

  /**
   * The answer to a plan.
   *
   * @param asked what was said of {@link Plan#asked}; null if nothing was asked
   * @param restored what was said of {@link Plan#restored}; null if nothing was given back
   * @param nowNanos the time by the clock of these
   */
  Answer(
      Plan plan,
      @Nullable KeyedDecision asked,
      @Nullable KeyedDecision restored,
      long nowNanos,
      long epochMillis) {
    this.plan = plan;
    this.asked = asked;
    this.restored = restored;
    this.nowNanos = nowNanos;
    this.epochMillis = epochMillis;
    allQuotasOver = plan.hasQuotas() && areAllQuotasOver();
  }

  private boolean areAllQuotasOver() {
    for (int i = 0; i < plan.descriptors(); i++) {
      if (plan.isQuota(i) && !isOver(i)) {
        return false;
      }
    }
    return true;
  }

  /** Whether the request is refused. */
  boolean isRefused() {
    return plan.isBanned() || allQuotasOver || (asked != null && !asked.allowed());
  }

  /** Whether what was taken was taken for a request that is refused all the same. */
  boolean isRefusedAfterTaking() {
    return allQuotasOver && asked != null && asked.allowed();
  }

  /** Whether a descriptor's own limit is exceeded, enforced or not. */
  boolean isOver(int i) {
    RateLimit limit = plan.limit(i);
    if (limit == null || limit.isUnlimited() || plan.isNegative(i)) {
      return false;
    }
    Decision decision = decision(i);
    return decision == null ? limit.isBan() : !decision.allowed();
  }

  /** What was said of a descriptor; null if nothing was asked for it. */
  @Nullable Decision decision(int i) {
    int place = plan.place(i);
    KeyedDecision said = plan.isNegative(i) ? restored : asked;
    return place < 0 || said == null ? null : said.each().get(place);
  }

  /** What is left to a descriptor now. */
  long remaining(int i) {
    Decision decision = decision(i);
    if (decision == null) {
      return 0;
    }
    if (!decision.allowed() || plan.isNegative(i) || !isRefused()) {
      return decision.remaining();
    }
    long wanted = plan.asked().get(plan.place(i)).cost();
    return Math.min(decision.limit(), decision.remaining() + wanted);
  }

  /**
   * The seconds until a descriptor has all of its limit, rounded up; of one that asked for more
   * than there is at all, those until the next window.
   */
  long resetSeconds(int i) {
    Decision decision = decision(i);
    long reset = decision == null ? 0 : Decision.secondsUp(decision.resetAtNanos() - nowNanos);
    if (reset > 0 || !isOver(i)) {
      return reset;
    }
    RateLimit limit = plan.limit(i);
    LimitUnit unit = limit == null ? null : limit.unit();
    if (unit == null) {
      return 0;
    }
    long window = unit.length().toMillis();
    return (window - Math.floorMod(epochMillis, window) + 999) / 1000;
  }

  /** The seconds after which the request may come again; 0 if no wait is known to help. */
  long retryAfterSeconds() {
    long longest = 0;
    for (int i = 0; i < plan.descriptors(); i++) {
      Decision decision = decision(i);
      RateLimit limit = plan.limit(i);
      if (decision != null && limit != null && !limit.isShadow() && isOver(i)) {
        if (decision.isHopeless()) {
          return 0;
        }
        longest = Math.max(longest, Math.max(1, decision.retryAfterSeconds()));
      }
    }
    return plan.isBanned() ? 0 : longest;
  }

  Plan plan() {
    return plan;
  }

  RateLimitResponse.Builder response() {
    RateLimitResponse.Builder response = RateLimitResponse.newBuilder();
    response.setOverallCode(isRefused() ? Code.OVER_LIMIT : Code.OK);
    for (int i = 0; i < plan.descriptors(); i++) {
      response.addStatuses(status(i));
    }
    return response;
  }

  private DescriptorStatus status(int i) {
    RateLimit limit = plan.limit(i);
    if (limit == null) {
      return WITHOUT_LIMIT;
    }
    RateLimitResponse.RateLimit message = limit.message();
    if (message == null) {
      return UNLIMITED;
    }
    return DescriptorStatus.newBuilder()
        .setCode(isOver(i) && !limit.isShadow() ? Code.OVER_LIMIT : Code.OK)
        .setCurrentLimit(message)
        .setLimitRemaining((int) Math.min(MAX_REMAINING, remaining(i)))
        .setDurationUntilReset(Duration.newBuilder().setSeconds(resetSeconds(i)))
        .build();
  }
}
