package io.headgate.control.controller;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/** What a controller says of itself, for a registry that other threads read. */
final class ControllerMetrics implements Refusals {

  /** The numbers at one moment. */
  record Figures(
      int aggregators,
      int peers,
      long clients,
      boolean learning,
      long configVersion,
      int problems,
      int buckets) {}

  private final MeterRegistry registry;
  private final Tags tags;
  private final List<Meter> meters = new ArrayList<>();
  private final Map<Refusal, Counter> refused = new EnumMap<>(Refusal.class);
  private final Map<String, AtomicReference<Double>> zoneAges = new HashMap<>();
  private final Map<String, AtomicReference<Double>> regionAges = new HashMap<>();
  private final Counter reports;
  private final Timer tick;
  private final Timer tickDelay;
  private volatile Figures figures = new Figures(0, 0, 0, true, 0, 0, 0);

  ControllerMetrics(MeterRegistry registry, Tags tags) {
    this.registry = registry;
    this.tags = tags;
    gauge("headgate.controller.aggregators", "aggregators that are connected", f -> f.aggregators);
    gauge(
        "headgate.controller.peers",
        "controllers of other regions that are connected",
        f -> f.peers);
    gauge("headgate.controller.clients", "clients of the connected aggregators", f -> f.clients);
    gauge("headgate.controller.buckets", "buckets with demand, now or lately", f -> f.buckets);
    gauge(
        "headgate.controller.learning",
        "1 while the controller has heard too little to judge",
        f -> f.learning ? 1 : 0);
    gauge(
        "headgate.controller.config.version",
        "version of the rules in force",
        f -> f.configVersion);
    gauge("headgate.controller.rule.problems", "problems in the rule files", f -> f.problems);
    reports =
        added(
            Counter.builder("headgate.controller.reports")
                .description("reports of aggregators that were taken")
                .tags(tags)
                .register(registry));
    tick =
        added(
            Timer.builder("headgate.controller.tick")
                .description("the time that a tick takes")
                .tags(tags)
                .register(registry));
    tickDelay =
        added(
            Timer.builder("headgate.controller.tick.delay")
                .description("how late a tick begins")
                .tags(tags)
                .register(registry));
    for (Refusal reason : Refusal.values()) {
      refused.put(
          reason,
          added(
              Counter.builder("headgate.controller.refused")
                  .description("reports, rows and streams that were not taken")
                  .tags(tags.and("reason", reason.tag()))
                  .register(registry)));
    }
  }

  @Override
  public void count(Refusal reason, int times) {
    Counter counter = refused.get(reason);
    if (counter != null && times > 0) {
      counter.increment(times);
    }
  }

  void countReport() {
    reports.increment();
  }

  void recordTick(long delayNanos, long tookNanos) {
    tickDelay.record(Duration.ofNanos(Math.max(0, delayNanos)));
    tick.record(Duration.ofNanos(tookNanos));
  }

  void show(Figures now) {
    figures = now;
  }

  /** Shows how old the latest report of a zone's longest silent aggregator is. */
  void showZoneAge(String zone, double seconds) {
    age(
        zoneAges,
        "headgate.controller.zone.report.age",
        "time since the latest report of the aggregator of the zone that has been silent longest",
        "zone",
        zone,
        seconds);
  }

  /** Shows how old the demand is that counts of another region. */
  void showRegionAge(String region, double seconds) {
    age(
        regionAges,
        "headgate.controller.region.report.age",
        "time since the report of another region that counts",
        "region",
        region,
        seconds);
  }

  void close() {
    meters.forEach(registry::remove);
    meters.clear();
  }

  private void age(
      Map<String, AtomicReference<Double>> ages,
      String name,
      String what,
      String tag,
      String value,
      double seconds) {
    AtomicReference<Double> age = ages.get(value);
    if (age == null) {
      AtomicReference<Double> shown = new AtomicReference<>(seconds);
      added(
          Gauge.builder(name, shown::get)
              .description(what)
              .baseUnit("seconds")
              .tags(tags.and(tag, value))
              .strongReference(true)
              .register(registry));
      ages.put(value, shown);
    } else {
      age.set(seconds);
    }
  }

  private void gauge(String name, String what, Figure figure) {
    added(
        Gauge.builder(name, this, metrics -> figure.of(metrics.figures))
            .description(what)
            .tags(tags)
            .strongReference(true)
            .register(registry));
  }

  private <M extends Meter> M added(M meter) {
    meters.add(meter);
    return meter;
  }

  @FunctionalInterface
  private interface Figure {
    double of(Figures figures);
  }
}
