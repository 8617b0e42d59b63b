package io.headgate.envoy.proxy;

import com.google.protobuf.Struct;
import io.envoyproxy.envoy.config.core.v3.Locality;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.metrics.v3.StreamMetricsMessage;
import io.headgate.core.rule.Behavior;
import io.headgate.core.rule.Location;
import io.headgate.core.rule.NamePattern;
import io.headgate.core.rule.Rate;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.RuleSet;
import io.headgate.core.rule.Scope;
import io.headgate.core.rule.ServiceRules;
import io.headgate.core.shed.Directive;
import io.headgate.fixtures.FakeAggregators;
import io.headgate.fixtures.VirtualLoop;
import io.headgate.protocol.RuleMessages;
import io.headgate.protocol.v1.BucketDefinition;
import io.headgate.protocol.v1.Directives;
import io.headgate.protocol.v1.Report;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.prometheus.client.Metrics.Counter;
import io.prometheus.client.Metrics.LabelPair;
import io.prometheus.client.Metrics.Metric;
import io.prometheus.client.Metrics.MetricFamily;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/** A data plane in virtual time, with an aggregator that does what a test has it do. */
final class World {

  static final String SERVICE = "shop";

  final VirtualLoop loop = new VirtualLoop();
  final FakeAggregators aggregators = new FakeAggregators(loop);
  final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  final DataPlane plane;
  private final AtomicLong epochs = new AtomicLong(100);
  private long rulesVersion;

  World() {
    this(10_000);
  }

  World(int maxPairs) {
    plane =
        new DataPlane(
            new DataPlaneSettings(
                new Location("eu", "eu-1"),
                List.of("aggregator"),
                Duration.ofSeconds(1),
                Duration.ofSeconds(10),
                10,
                maxPairs),
            loop,
            aggregators,
            new SplittableRandom(7),
            epochs::incrementAndGet,
            registry);
    plane.start();
  }

  static Node node(String id) {
    return Node.newBuilder()
        .setId(id)
        .setCluster(SERVICE)
        .setLocality(Locality.newBuilder().setRegion("eu").setZone("eu-1"))
        .build();
  }

  void run(double seconds) {
    loop.run(Duration.ofNanos((long) (seconds * 1e9)));
  }

  double counted(String name) {
    return registry.get(name).counter().count();
  }

  // ---- the control plane

  void rules(Rule... rules) {
    loop.run();
    RuleSet set = RuleSet.of(++rulesVersion, List.of(new ServiceRules(SERVICE, List.of(rules))));
    aggregators.last().send(RuleMessages.all(set));
    loop.run();
  }

  /** A rule; null stands for any caller or procedure. */
  static Rule rule(String name, String caller, String procedure) {
    return rule(name, caller, procedure, false, Behavior.DENY);
  }

  static Rule rule(
      String name, String caller, String procedure, boolean perCaller, Behavior behavior) {
    return new Rule(
        name,
        caller == null ? NamePattern.any() : NamePattern.of(caller),
        procedure == null ? NamePattern.any() : NamePattern.of(procedure),
        perCaller,
        false,
        Rate.perSecond(100),
        Map.of(),
        Scope.GLOBAL,
        behavior);
  }

  /** Has the aggregator direct that the bucket of a rule drops this share; renews all. */
  void drop(String rule, double share) {
    drop(rule, "", share);
  }

  void drop(String rule, String caller, double share) {
    BucketDefinition bucket =
        aggregators.last().definitions().stream()
            .filter(b -> b.getRule().equals(rule) && b.getCaller().equals(caller))
            .reduce((former, latter) -> latter)
            .orElseThrow(() -> new AssertionError("no bucket of rule " + rule));
    aggregators
        .last()
        .send(
            Directives.newBuilder()
                .setConfigVersion(rulesVersion)
                .setTtlMillis(5_000)
                .addBucket(bucket.getId())
                .addLevel(share == 0 ? Directive.NO_LEVEL : 3)
                .addAccept(Directive.accept(1 - share)));
    loop.run();
  }

  /** Renews what is in force, as an aggregator does each second. */
  void renew() {
    aggregators
        .last()
        .send(Directives.newBuilder().setConfigVersion(rulesVersion).setTtlMillis(5_000));
  }

  /** What the last report has of each rule: offered, dropped, would have dropped. */
  Map<String, List<Long>> lastReport() {
    Report report = aggregators.last().lastReport();
    Map<Integer, BucketDefinition> byNumber = new TreeMap<>();
    aggregators.last().definitions().forEach(bucket -> byNumber.put(bucket.getId(), bucket));
    Map<String, List<Long>> rows = new TreeMap<>();
    for (int row = 0; row < report.getBucketCount(); row++) {
      BucketDefinition bucket = byNumber.get(report.getBucket(row));
      rows.put(
          bucket.getRule() + (bucket.getCaller().isEmpty() ? "" : " " + bucket.getCaller()),
          List.of(
              report.getOffered(row),
              report.getDroppedCount() == 0 ? 0 : report.getDropped(row),
              report.getWouldDropCount() == 0 ? 0 : report.getWouldDrop(row)));
    }
    return rows;
  }

  // ---- what a proxy sends

  static MetricFamily requests(String caller, String procedure, double number, long stampMillis) {
    return counter("headgate.rq", caller, procedure, null, number, stampMillis);
  }

  static MetricFamily drops(
      String caller, String procedure, String key, double number, long stampMillis) {
    return counter("headgate.drop", caller, procedure, key, number, stampMillis);
  }

  private static MetricFamily counter(
      String name, String caller, String procedure, String key, double number, long stampMillis) {
    Metric.Builder metric =
        Metric.newBuilder()
            .addLabel(label("service", SERVICE))
            .addLabel(label("caller", caller))
            .addLabel(label("procedure", procedure))
            .setCounter(Counter.newBuilder().setValue(number))
            .setTimestampMs(stampMillis);
    if (key != null) {
      metric.addLabel(label("key", key));
    }
    return MetricFamily.newBuilder().setName(name).addMetric(metric).build();
  }

  private static LabelPair label(String name, String value) {
    return LabelPair.newBuilder().setName(name).setValue(value).build();
  }

  static StreamMetricsMessage message(MetricFamily... families) {
    return StreamMetricsMessage.newBuilder().addAllEnvoyMetrics(List.of(families)).build();
  }

  static StreamMetricsMessage first(String id, MetricFamily... families) {
    return message(families).toBuilder()
        .setIdentifier(StreamMetricsMessage.Identifier.newBuilder().setNode(node(id)))
        .build();
  }

  /** The drop ratios in a layer, in millionths, by key. */
  static Map<String, Long> ratios(Struct layer) {
    Map<String, Long> ratios = new TreeMap<>();
    layer
        .getFieldsMap()
        .forEach(
            (name, value) -> {
              if (!value
                  .getStructValue()
                  .getFieldsOrThrow("denominator")
                  .getStringValue()
                  .equals("MILLION")) {
                throw new AssertionError("denominator of " + name);
              }
              ratios.put(
                  name.replaceFirst("^fault\\.http\\.", "")
                      .replaceFirst("\\.abort\\.abort_percent$", ""),
                  (long) value.getStructValue().getFieldsOrThrow("numerator").getNumberValue());
            });
    return ratios;
  }
}
