package io.headgate.configurator.plan;

import io.headgate.core.rule.Rule;

/**
 * A rule that should be there.
 *
 * @param service whose rule it is
 * @param rule how it begins, in shadow, if the service has none for the same callers and procedures
 */
public record NewRule(String service, Rule rule) {}
