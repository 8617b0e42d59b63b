package io.headgate.configurator.run;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** What a runner shows of itself. */
final class RunMetrics {

  private final MeterRegistry registry;
  private final Tags tags;
  private volatile @Nullable RunReport lastGood;

  RunMetrics(MeterRegistry registry, String id) {
    this.registry = registry;
    tags = Tags.of("configurator", id);
    for (RunCause cause : RunCause.values()) {
      for (RunResult result : RunResult.values()) {
        registry.counter("headgate.configurator.runs", of(cause, result));
      }
    }
    registry.timer("headgate.configurator.run", tags);
    limits("all", RunReport::limits);
    limits("changed", RunReport::changes);
    limits("kept", RunReport::kept);
    limits("masked", RunReport::masked);
    limits("approval", RunReport::approvals);
  }

  /** A number of the status. */
  void gauge(String name, Supplier<Number> number) {
    Gauge.builder("headgate.configurator." + name, number).tags(tags).register(registry);
  }

  private void limits(String what, ToDoubleFunction<RunReport> number) {
    Gauge.builder(
            "headgate.configurator.limits",
            () -> {
              RunReport report = lastGood;
              return report == null ? 0 : number.applyAsDouble(report);
            })
        .tags(tags.and("what", what))
        .register(registry);
  }

  private Tags of(RunCause cause, RunResult result) {
    return tags.and("cause", cause.toString(), "result", result.toString());
  }

  void ended(RunCause cause, RunResult result, RunReport report) {
    registry.counter("headgate.configurator.runs", of(cause, result)).increment();
    registry
        .timer("headgate.configurator.run", tags)
        .record(Duration.ofNanos(Math.round(1e9 * report.seconds())));
    if (result.isGood()) {
      lastGood = report;
    }
  }
}
