package io.headgate.server.ratelimit;

import io.headgate.envoy.ratelimit.rules.RuleFileWatch;
import io.headgate.envoy.ratelimit.stats.RateLimitStats;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;

/** The metrics of the service as a whole; see {@code docs/metrics.md}. */
final class ServiceMeters {

  private ServiceMeters() {}

  static void register(RateLimitStats stats, RuleFileWatch rules, MeterRegistry registry) {
    for (RateLimitStats.Event event : RateLimitStats.Event.values()) {
      FunctionCounter.builder("headgate.ratelimit.events", stats, counts -> counts.total(event))
          .tag("event", event.name().toLowerCase(Locale.ROOT))
          .description("What the rate limit service has done")
          .register(registry);
    }
    FunctionCounter.builder("headgate.ratelimit.rule.loads", rules, RuleFileWatch::loads)
        .description("Times that new rules came into force")
        .register(registry);
    FunctionCounter.builder("headgate.ratelimit.rule.errors", rules, RuleFileWatch::failures)
        .description("Times that new rule files had mistakes")
        .register(registry);
    Gauge.builder("headgate.ratelimit.rule.problems", rules, watch -> watch.problems().size())
        .description("Mistakes in the rule files as they are, so that older rules are in force")
        .register(registry);
    Gauge.builder("headgate.ratelimit.limits", rules, watch -> watch.rules().limits())
        .description("Descriptors with a limit")
        .register(registry);
  }
}
