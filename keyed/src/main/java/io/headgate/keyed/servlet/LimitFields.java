package io.headgate.keyed.servlet;

import io.headgate.core.limit.Decision;
import io.headgate.keyed.KeyedDecision;
import io.headgate.keyed.NamedLimit;

/**
 * A decision as HTTP says it.
 *
 * @param policy the field {@code RateLimit-Policy}
 * @param remaining the field {@code RateLimit}
 */
record LimitFields(String policy, String remaining) {

  /** Times are rounded up: who comes back after them is not too early. */
  static LimitFields of(KeyedDecision decision, long nowNanos) {
    NamedLimit limit = decision.decidedBy();
    Decision said = decision.decision();
    long window = Decision.secondsUp(limit.limit().longestResetNanos());
    long reset = Decision.secondsUp(said.resetAtNanos() - nowNanos);
    String name = '"' + limit.name() + '"'; // whose letters need no escape
    return new LimitFields(
        name + ";q=" + said.limit() + ";w=" + window,
        name + ";r=" + said.remaining() + ";t=" + reset);
  }

  static String problem(KeyedDecision decision) {
    Decision said = decision.decision();
    String wait = said.isHopeless() ? "" : ",\"retryAfterSeconds\":" + said.retryAfterSeconds();
    return "{\"type\":\"about:blank\",\"title\":\"Too Many Requests\",\"status\":429,\"limit\":\""
        + decision.decidedBy().name()
        + "\""
        + wait
        + "}";
  }
}
