package io.headgate.agent;

/**
 * What one bucket of this process has counted since it was made.
 *
 * @param service the rule's service
 * @param rule the rule's name
 * @param caller the caller, for a rule per caller; else empty
 * @param procedure the procedure, for a rule per procedure; else empty
 * @param offered requests that the bucket judged
 * @param admitted of these, passed, with those that would have been dropped
 * @param dropped of these, dropped by this bucket
 * @param wouldDrop of these, passed only because the rule is in shadow
 * @param dropRatio the share of first attempts of the default criticality class that the directive
 *     in force drops, or in shadow would drop, from 0 to 1
 */
public record BucketCounts(
    String service,
    String rule,
    String caller,
    String procedure,
    long offered,
    long admitted,
    long dropped,
    long wouldDrop,
    double dropRatio) {}
