package io.headgate.configurator.run;

import io.headgate.configurator.promotion.Promotions;
import io.headgate.configurator.promotion.Step;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.EnumSet;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** What a runner shows of itself. */
final class RunMetrics {

  private final MeterRegistry registry;
  private final Tags tags;
  private volatile @Nullable RunReport lastGood;
  private volatile long waiting;

  RunMetrics(MeterRegistry registry, String id) {
    this.registry = registry;
    tags = Tags.of("configurator", id);
    // No limits are computed for trials.
    for (RunCause cause : EnumSet.complementOf(EnumSet.of(RunCause.TRIALS))) {
      for (RunResult result : RunResult.values()) {
        registry.counter("headgate.configurator.runs", of(cause, result));
      }
    }
    registry.timer("headgate.configurator.run", tags);
    for (Step step : Step.values()) {
      if (step.isChange()) {
        registry.counter("headgate.configurator.trial.steps", of(step));
      }
    }
    gauge("trials.waiting", () -> waiting);
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

  /** What became of limits on trial. */
  void looked(Promotions trials) {
    waiting = trials.count(Step.WAIT);
    for (Step step : Step.values()) {
      if (step.isChange()) {
        registry
            .counter("headgate.configurator.trial.steps", of(step))
            .increment(trials.count(step));
      }
    }
  }

  private Tags of(Step step) {
    return tags.and("step", step.toString());
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
