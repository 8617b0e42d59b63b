package io.headgate.envoy.ratelimit;

import io.headgate.core.limit.Decision;
import io.headgate.keyed.Hit;
import io.headgate.keyed.KeyedDecision;
import io.headgate.keyed.Verdicts;
import io.headgate.keyed.local.LocalKeyedLimiter;
import io.headgate.keyed.redis.OutagePolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** What answers in the place of counts that cannot be had, or not in time. */
final class Outage {

  /** How long clients of a closed service wait until they ask again. */
  private static final long PAUSE_NANOS = 1_000_000_000L;

  private final OutagePolicy policy;
  private final LongSupplier nanoClock;
  private final LocalKeyedLimiter local;

  /**
   * Answers by a policy.
   *
   * @param nanoClock the clock by which decisions say their times
   */
  Outage(OutagePolicy policy, LongSupplier nanoClock) {
    this.policy = policy;
    this.nanoClock = nanoClock;
    local = LocalKeyedLimiter.builder().nanoClock(nanoClock).build();
  }

  /** The answer when nobody who counts has given one. */
  KeyedDecision answer(List<Hit> hits) {
    if (policy != OutagePolicy.LOCAL) {
      return byPolicy(hits);
    }
    return degraded(local.decide(hits));
  }

  /** The answer when whoever counts has one that does not rest on the counts. */
  KeyedDecision answerTo(KeyedDecision decision, List<Hit> hits) {
    return policy == OutagePolicy.LOCAL ? decision : byPolicy(hits);
  }

  private KeyedDecision byPolicy(List<Hit> hits) {
    long now = nanoClock.getAsLong();
    List<Decision> decisions = new ArrayList<>(hits.size());
    for (Hit hit : hits) {
      long limit = hit.limit().limit().limit();
      decisions.add(
          policy == OutagePolicy.OPEN
              ? new Decision(true, limit, limit, now, 0)
              : new Decision(false, limit, 0, now + PAUSE_NANOS, PAUSE_NANOS));
    }
    return Verdicts.of(hits, decisions, true);
  }

  private static KeyedDecision degraded(KeyedDecision decision) {
    return new KeyedDecision(
        decision.allowed(),
        decision.decidedBy(),
        decision.decision(),
        decision.shadowDenied(),
        decision.each(),
        true);
  }
}
