package io.headgate.agent;

import io.headgate.core.rule.Rate;
import java.time.Duration;

/**
 * What a gate decided about a request. Verdicts are made once and shared; asking for one allocates
 * nothing.
 *
 * @param admitted whether the request may go on
 * @param service the service whose rule dropped it; empty if it was admitted
 * @param rule the rule that dropped it; empty if it was admitted
 * @param limit that rule's limit where this process runs
 * @param retryAfter how long a caller should wait before it tries again
 */
public record Verdict(
    boolean admitted, String service, String rule, Rate limit, Duration retryAfter) {

  /** The request may go on. */
  public static final Verdict ADMITTED =
      new Verdict(true, "", "", Rate.perSecond(0), Duration.ZERO);
}
