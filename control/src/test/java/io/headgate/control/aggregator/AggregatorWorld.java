package io.headgate.control.aggregator;

import io.headgate.control.VirtualEventLoop;
import io.headgate.control.status.AggregatorStatus;
import io.headgate.core.rule.BucketKey;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/** An aggregator of the zone {@code eu-1} in virtual time, between fake agents and controllers. */
final class AggregatorWorld {

  static final BucketKey ALL = new BucketKey("payments", "all", "", "");

  final VirtualEventLoop loop = new VirtualEventLoop();
  final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  final Map<String, FakeController> controllers = new LinkedHashMap<>();
  final Aggregator aggregator;

  AggregatorWorld() {
    this(1, settings -> settings);
  }

  AggregatorWorld(int controllerCount, UnaryOperator<AggregatorSettings.Builder> settings) {
    this(controllerCount, settings, new Random(1));
  }

  /** A world whose aggregator draws from {@code random}. */
  AggregatorWorld(
      int controllerCount,
      UnaryOperator<AggregatorSettings.Builder> settings,
      RandomGenerator random) {
    for (int i = 0; i < controllerCount; i++) {
      controllers.put("controller-" + i + ":7070", new FakeController("controller-" + i));
    }
    aggregator =
        new Aggregator(
            settings
                .apply(
                    AggregatorSettings.builder()
                        .aggregatorId("aggregator-0")
                        .epoch(1)
                        .region("eu")
                        .zone("eu-1")
                        .controllers(List.copyOf(controllers.keySet())))
                .build(),
            loop,
            (address, listener) -> controllers.get(address).accept(listener),
            random,
            registry);
    aggregator.start();
    loop.run();
  }

  /** A world whose controllers are connected and have the rules of {@link Samples#payments}. */
  static AggregatorWorld withRules() {
    AggregatorWorld world = new AggregatorWorld();
    world.controller().join(Samples.payments(1));
    return world;
  }

  FakeController controller() {
    return controller(0);
  }

  FakeController controller(int index) {
    return controllers.get("controller-" + index + ":7070");
  }

  FakeAgent connect(String clientId) {
    return connect(clientId, 1);
  }

  FakeAgent connect(String clientId, long epoch) {
    FakeAgent agent = stranger(Set.of());
    agent.hello(FakeAgent.hello(clientId, epoch));
    return agent;
  }

  FakeAgent stranger(Set<String> identities) {
    return new FakeAgent(aggregator, identities);
  }

  void runFor(long millis) {
    loop.runFor(Duration.ofMillis(millis));
  }

  /** Lets one report interval pass. */
  void interval() {
    runFor(1000);
  }

  AggregatorStatus status() {
    var status = aggregator.status();
    loop.run();
    return status.join();
  }

  /** The demand for the bucket of the rule {@code all} as the controller has it. */
  double offered() {
    return controller().offered().getOrDefault(ALL, 0.0);
  }

  double count(String meter, String... tags) {
    return registry.get(meter).tags(tags).counter().count();
  }

  double refused(Refusal reason) {
    return count("headgate.aggregator.reports.refused", "reason", reason.tag());
  }

  double refusedClients(String reason) {
    var counter =
        registry.find("headgate.aggregator.clients.refused").tag("reason", reason).counter();
    return counter == null ? 0 : counter.count();
  }

  double gauge(String meter, String... tags) {
    return registry.get(meter).tags(tags).gauge().value();
  }
}
