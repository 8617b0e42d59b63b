package io.headgate.configurator.run;

/**
 * What became of a run.
 *
 * @param at when it began, such as {@code 2026-11-30T02:30:00Z}
 * @param cause why
 * @param result what became of it
 * @param seconds how long it took
 * @param limits how many limits it was about
 * @param changes how many it changed, or has candidates for
 * @param kept how many stayed because their past would not do
 * @param masked of how many a part of the past was left out
 * @param approvals how many would have gone farther with approval
 * @param message what went wrong; empty if nothing did
 */
public record RunReport(
    String at,
    String cause,
    String result,
    double seconds,
    int limits,
    int changes,
    int kept,
    int masked,
    int approvals,
    String message) {}
