package io.headgate.configurator.source;

import io.headgate.configurator.series.LimitKey;
import io.headgate.configurator.series.TimeRange;

/**
 * Which rate to read.
 *
 * @param limit the limit whose calls it is about; of one that holds for each region or zone apart,
 *     those of the busiest
 * @param measure what of them
 * @param range the time, a multiple of the step
 * @param stepSeconds the step
 */
public record MetricQuery(LimitKey limit, Measure measure, TimeRange range, int stepSeconds) {}
