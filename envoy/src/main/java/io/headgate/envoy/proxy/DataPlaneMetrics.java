package io.headgate.envoy.proxy;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;

/** What the data plane counts of itself. */
final class DataPlaneMetrics {

  private final MeterRegistry registry;
  private final Counter messages;
  private final Counter counts;
  private final Counter refusedMessages;
  private final Counter refusedProxies;
  private final Counter pushes;
  private final Counter pushedBytes;
  private final Counter heartbeats;
  private final Counter refusedLayers;
  private final Counter expiredLayers;
  private final Counter ignoredRequests;

  DataPlaneMetrics(MeterRegistry registry) {
    this.registry = registry;
    messages = counter("headgate.envoy.metrics.messages");
    counts = counter("headgate.envoy.metrics.counts");
    refusedMessages = counter("headgate.envoy.metrics.refused");
    refusedProxies = counter("headgate.envoy.proxies.refused");
    pushes = counter("headgate.envoy.layers.pushed");
    pushedBytes = counter("headgate.envoy.layers.pushed.bytes");
    heartbeats = counter("headgate.envoy.layers.heartbeats");
    refusedLayers = counter("headgate.envoy.layers.refused");
    expiredLayers = counter("headgate.envoy.layers.expired");
    ignoredRequests = counter("headgate.envoy.requests.ignored");
  }

  private Counter counter(String name) {
    return Counter.builder(name).register(registry);
  }

  void gauge(String name, Supplier<Number> value) {
    Gauge.builder(name, value).register(registry);
  }

  /** A message of counters came, of which so many had counted something. */
  void counts(int number) {
    messages.increment();
    counts.increment(number);
  }

  void refusedMessage() {
    refusedMessages.increment();
  }

  void refusedProxy() {
    refusedProxies.increment();
  }

  void push(int bytes) {
    pushes.increment();
    pushedBytes.increment(bytes);
  }

  void heartbeat() {
    heartbeats.increment();
  }

  /** A proxy did not take a layer. */
  void refusedLayer() {
    refusedLayers.increment();
  }

  /** A proxy did not take a heartbeat, because what it renews had expired. */
  void expiredLayer() {
    expiredLayers.increment();
  }

  void ignoredRequest() {
    ignoredRequests.increment();
  }

  long messages() {
    return (long) messages.count();
  }

  long pushes() {
    return (long) pushes.count();
  }

  long nacks() {
    return (long) (refusedLayers.count() + expiredLayers.count());
  }
}
