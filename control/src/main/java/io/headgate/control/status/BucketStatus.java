package io.headgate.control.status;

/**
 * One bucket in one domain, as a tier sees it. Rates are per second.
 *
 * @param service the service
 * @param rule the rule
 * @param caller the caller, for a rule per caller; else empty
 * @param procedure the procedure, for a rule per procedure; else empty
 * @param domain where it counts together, such as {@code global} or {@code zone:eu-west-1}
 * @param behavior {@code deny} or {@code allow}
 * @param limitPerSecond the limit there
 * @param offeredPerSecond demand before this bucket's drop
 * @param droppedPerSecond of these, dropped by this bucket
 * @param wouldDropPerSecond of these, would have been dropped were the rule not in shadow
 * @param dropRatio the share that the directive in force drops, from 0 to 1
 */
public record BucketStatus(
    String service,
    String rule,
    String caller,
    String procedure,
    String domain,
    String behavior,
    double limitPerSecond,
    double offeredPerSecond,
    double droppedPerSecond,
    double wouldDropPerSecond,
    double dropRatio) {}
