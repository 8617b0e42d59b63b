package io.headgate.configurator.source;

import io.headgate.configurator.series.TimeRange;
import io.headgate.core.rule.Domain;
import io.headgate.core.rule.Rule;

/**
 * Whose rate to read.
 *
 * @param service the service
 * @param rule its rule
 * @param domain the part of the fleet
 * @param measure what of it
 * @param range the time, a multiple of the step
 * @param stepSeconds the step
 */
public record MetricQuery(
    String service, Rule rule, Domain domain, Measure measure, TimeRange range, int stepSeconds) {

  /** Whose rate it is, for messages. */
  public String subject() {
    return service + "/" + rule.name() + (domain.name().isEmpty() ? "" : " in " + domain);
  }
}
