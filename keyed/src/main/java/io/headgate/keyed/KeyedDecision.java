package io.headgate.keyed;

import io.headgate.core.limit.Decision;
import java.util.List;

/**
 * The answer to a request against one or several limits.
 *
 * @param allowed whether the request may go on: no enforced limit denied it
 * @param decidedBy of the limits that denied it, the one with the longest wait; if none did, the
 *     one with the fewest permits left
 * @param decision what that limit said
 * @param shadowDenied whether a limit in shadow would have denied it
 * @param each what each limit said by itself, in the order of the hits. Of a request that is not
 *     allowed, the permits remaining are those that there would be had it been
 * @param degraded whether the counts could not be reached, so that the outage policy answered
 */
public record KeyedDecision(
    boolean allowed,
    NamedLimit decidedBy,
    Decision decision,
    boolean shadowDenied,
    List<Decision> each,
    boolean degraded) {}
