package io.headgate.configurator.run;

import org.jspecify.annotations.Nullable;

/**
 * A runner now.
 *
 * @param id its name
 * @param running why it computes limits at this moment; empty if it does not
 * @param progress how much of that is done, 0 to 1
 * @param holder who has the lease instead, as far as it mattered; empty if nobody has
 * @param last its last run; null if there was none since it was started
 * @param next when all limits are to be computed next, such as {@code 2026-11-30T02:30:00Z}
 * @param failures how often it has failed in a row
 * @param failure what went wrong last, if it has not gone well since; else empty
 * @param drifted how many limits demand has gone away from, at its last look
 * @param configProblems how many mistakes a changed configuration has, which is not in force
 */
public record ConfiguratorStatus(
    String id,
    String running,
    double progress,
    String holder,
    @Nullable RunReport last,
    String next,
    int failures,
    String failure,
    int drifted,
    int configProblems) {}
