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
  private final Map<String, AtomicReference<Double>> places = new HashMap<>();
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

  /**
   * Shows how a zone is heard.
   *
   * @param ageSeconds how old the latest report of its longest silent aggregator is
   * @param openClients the clients that are not heard and taken to let everything pass
   */
  void showZone(String zone, double ageSeconds, double openClients) {
    show(
        "headgate.controller.zone.report.age",
        "time since the latest report of the aggregator of the zone that has been silent longest",
        "seconds",
        Tags.of("zone", zone),
        ageSeconds);
    show(
        "headgate.controller.zone.open.clients",
        "clients of a lost zone that are taken to let everything pass; their demand is held",
        "",
        Tags.of("zone", zone),
        openClients);
  }

  /**
   * Shows how another region is heard.
   *
   * @param ageSeconds how old the demand is that counts of it
   * @param cutOff whether it has been silent for so long that it is taken to be cut off
   */
  void showRegion(String region, double ageSeconds, boolean cutOff) {
    show(
        "headgate.controller.region.report.age",
        "time since the report of another region that counts",
        "seconds",
        Tags.of("region", region),
        ageSeconds);
    show(
        "headgate.controller.region.cut.off",
        "1 while another region counts as cut off, and rules do as they say for that",
        "",
        Tags.of("region", region),
        cutOff ? 1 : 0);
  }

  void close() {
    meters.forEach(registry::remove);
    meters.clear();
  }

  private void show(String name, String what, String unit, Tags place, double value) {
    AtomicReference<Double> known = places.get(name + place);
    if (known == null) {
      AtomicReference<Double> shown = new AtomicReference<>(value);
      added(
          Gauge.builder(name, shown::get)
              .description(what)
              .baseUnit(unit.isEmpty() ? null : unit)
              .tags(tags.and(place))
              .strongReference(true)
              .register(registry));
      places.put(name + place, shown);
    } else {
      known.set(value);
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
