package io.headgate.server.keyed;

import io.headgate.keyed.ring.KeyedRing;
import io.headgate.keyed.ring.RingGauges;
import io.headgate.keyed.ring.RingStats;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The metrics of a node; see {@code docs/metrics.md}. */
final class RingMeters {

  private RingMeters() {}

  static void register(KeyedRing ring, MeterRegistry registry) {
    for (RingStats.Event event : RingStats.Event.values()) {
      FunctionCounter.builder("headgate.ring.events", ring, node -> node.stats().count(event))
          .tag("event", event.name().toLowerCase(Locale.ROOT))
          .description("What a node has done")
          .register(registry);
    }
    gauge(ring, registry, "buckets", "Buckets in memory", RingGauges::buckets);
    gauge(ring, registry, "owed.keys", "Keys whose owners lack hits", RingGauges::owedKeys);
    gauge(
        ring,
        registry,
        "untold.keys",
        "Keys of which others are to be told",
        RingGauges::untoldKeys);
    gauge(ring, registry, "peers", "Other nodes", gauges -> gauges.peers().size());
    gauge(
        ring,
        registry,
        "forward.queue",
        "Requests that wait for a batch",
        gauges -> gauges.peers().stream().mapToInt(RingGauges.PeerGauges::queued).sum());
    counter(ring, registry, "bucket.hits", "Requests that found their bucket", RingGauges::hits);
    counter(ring, registry, "bucket.misses", "Requests that did not", RingGauges::misses);
    counter(
        ring,
        registry,
        "bucket.evictions",
        "Buckets that made room although they still counted",
        RingGauges::unexpiredEvictions);
    counter(ring, registry, "owed.errors", "Batches of hits that failed", RingGauges::owedErrors);
    counter(ring, registry, "broadcasts", "Rounds of telling others", RingGauges::broadcasts);
    counter(
        ring,
        registry,
        "broadcast.errors",
        "Messages of those that failed",
        RingGauges::broadcastErrors);
    counter(ring, registry, "moved.buckets", "Buckets given to new owners", RingGauges::moved);
    counter(
        ring,
        registry,
        "unmoved.buckets",
        "Buckets that new owners did not take",
        RingGauges::unmoved);
    counter(
        ring,
        registry,
        "forward.retries",
        "Batches that were sent a second time",
        gauges -> gauges.peers().stream().mapToLong(RingGauges.PeerGauges::retries).sum());
    counter(
        ring,
        registry,
        "peer.errors",
        "Calls to other nodes that failed",
        gauges -> gauges.peers().stream().mapToLong(RingGauges.PeerGauges::errors).sum());
  }

  private static void gauge(
      KeyedRing ring,
      MeterRegistry registry,
      String name,
      String description,
      ToDoubleFunction<RingGauges> value) {
    Gauge.builder("headgate.ring." + name, ring, node -> value.applyAsDouble(node.gauges()))
        .description(description)
        .register(registry);
  }

  private static void counter(
      KeyedRing ring,
      MeterRegistry registry,
      String name,
      String description,
      ToDoubleFunction<RingGauges> value) {
    FunctionCounter.builder(
            "headgate.ring." + name, ring, node -> value.applyAsDouble(node.gauges()))
        .description(description)
        .register(registry);
  }
}
