package io.headgate.control.aggregator;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** What an aggregator counts of itself. Gauges are fields that its loop writes each interval. */
final class AggregatorMetrics {

  private static final double NANOS_PER_SECOND = 1e9;

  private final MeterRegistry registry;
  private final Tags tags;
  private final Counter reports;
  private final Counter directives;
  private final Counter moves;
  private final Timer tick;
  private final Map<Refusal, Counter> refusedReports = new EnumMap<>(Refusal.class);
  private final Map<String, Counter> refusedClients = new HashMap<>();
  private final Map<String, Counter> refusedMessages = new HashMap<>();

  private volatile int streams;
  private volatile int clients;
  private volatile int latched;
  private volatile int buckets;
  private volatile double maxAgeSeconds;
  private volatile double slowDownSeconds;
  private volatile long configVersion;

  AggregatorMetrics(MeterRegistry registry, Tags tags) {
    this.registry = registry;
    this.tags = tags;
    reports = counter("headgate.aggregator.reports");
    directives = counter("headgate.aggregator.directives.sent");
    moves = counter("headgate.aggregator.follow.moves");
    tick = Timer.builder("headgate.aggregator.tick").tags(tags).register(registry);
    for (Refusal reason : Refusal.values()) {
      refusedReports.put(reason, refused("headgate.aggregator.reports.refused", reason.tag()));
    }
    gauge("headgate.aggregator.streams", () -> streams);
    gauge("headgate.aggregator.clients", () -> clients);
    gauge("headgate.aggregator.latched", () -> latched);
    gauge("headgate.aggregator.buckets", () -> buckets);
    gauge("headgate.aggregator.report.age.max", () -> maxAgeSeconds);
    gauge("headgate.aggregator.slow.down", () -> slowDownSeconds);
    gauge("headgate.aggregator.config.version", () -> configVersion);
  }

  void report() {
    reports.increment();
  }

  void refusedReport(Refusal reason, int times) {
    Counter counter = refusedReports.get(reason);
    if (times > 0 && counter != null) {
      counter.increment(times);
    }
  }

  void refusedClient(String reason) {
    refusedClients
        .computeIfAbsent(reason, r -> refused("headgate.aggregator.clients.refused", r))
        .increment();
  }

  void refusedMessage(String reason) {
    refusedMessages
        .computeIfAbsent(reason, r -> refused("headgate.aggregator.controller.refused", r))
        .increment();
  }

  void directives() {
    directives.increment();
  }

  void moved() {
    moves.increment();
  }

  void tick(long nanos) {
    tick.record(nanos, TimeUnit.NANOSECONDS);
  }

  /** How often clients are asked to report at most; 0 for as usual. */
  void slowDown(int millis) {
    slowDownSeconds = millis / 1000.0;
  }

  void clients(int streams, Clients clients) {
    this.streams = streams;
    this.clients = clients.fresh();
    this.latched = clients.rows();
    this.maxAgeSeconds = clients.maxAgeNanos() / NANOS_PER_SECOND;
  }

  void buckets(int buckets) {
    this.buckets = buckets;
  }

  void configVersion(long configVersion) {
    this.configVersion = configVersion;
  }

  /** Shows whether a controller is connected, and whether it is the one that is followed. */
  void controller(String address, AtomicBoolean connected, AtomicBoolean followed) {
    controllerGauge("headgate.aggregator.controller.connected", address, connected);
    controllerGauge("headgate.aggregator.controller.followed", address, followed);
  }

  private void controllerGauge(String name, String address, AtomicBoolean is) {
    Gauge.builder(name, () -> is.get() ? 1 : 0)
        .tags(tags)
        .tag("controller", address)
        .strongReference(true)
        .register(registry);
  }

  private Counter counter(String name) {
    return Counter.builder(name).tags(tags).register(registry);
  }

  private Counter refused(String name, String reason) {
    return Counter.builder(name).tags(tags).tag("reason", reason).register(registry);
  }

  private void gauge(String name, Supplier<Number> value) {
    Gauge.builder(name, value).tags(tags).strongReference(true).register(registry);
  }
}
