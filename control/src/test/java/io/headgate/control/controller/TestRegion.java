package io.headgate.control.controller;

import io.headgate.control.VirtualEventLoop;
import io.headgate.control.status.ControllerStatus;
import io.headgate.core.rule.Behavior;
import io.headgate.core.rule.BucketKey;
import io.headgate.core.rule.NamePattern;
import io.headgate.core.rule.Rate;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.RuleSet;
import io.headgate.core.rule.Scope;
import io.headgate.core.rule.ServiceRules;
import io.headgate.core.shed.LawSettings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A controller in virtual time with aggregators that report each second. */
final class TestRegion {

  static final BucketKey ORDERS = new BucketKey("shop", "orders", "", "");

  final VirtualEventLoop loop;
  final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  final Controller controller;
  private final String region;
  private final List<TestAggregator> reporting = new ArrayList<>();

  /** A region without peers. */
  TestRegion() {
    this(settings("controller-1", "eu", List.of()), new VirtualEventLoop(), new TestNetwork());
  }

  TestRegion(ControllerSettings settings, VirtualEventLoop loop, TestNetwork network) {
    this.loop = loop;
    this.region = settings.region();
    controller = new Controller(settings, loop, network.connector(loop), new Random(7), registry);
    controller.start();
    loop.run();
  }

  /** Settings with the plain law, so that expected values are literal. */
  static ControllerSettings settings(String id, String region, List<String> peers) {
    return ControllerSettings.of(id, 1, region, peers).withLaw(LawSettings.PLAIN);
  }

  static Rule rule(String name, Scope scope, double limit, Map<String, Double> limitsAt) {
    return rule(name, scope, limit, limitsAt, Behavior.DENY);
  }

  static Rule rule(
      String name, Scope scope, double limit, Map<String, Double> limitsAt, Behavior behavior) {
    Map<String, Rate> rates = new HashMap<>();
    limitsAt.forEach((place, at) -> rates.put(place, Rate.perSecond(at)));
    return new Rule(
        name,
        NamePattern.any(),
        NamePattern.any(),
        false,
        false,
        Rate.perSecond(limit),
        rates,
        scope,
        behavior);
  }

  static Rule perCaller(String name, double limit) {
    return new Rule(
        name,
        NamePattern.any(),
        NamePattern.any(),
        true,
        false,
        Rate.perSecond(limit),
        Map.of(),
        Scope.REGION,
        Behavior.DENY);
  }

  static RuleSet rules(long version, Rule... rules) {
    return RuleSet.of(version, List.of(new ServiceRules("shop", List.of(rules))));
  }

  TestRegion rules(RuleSet rules) {
    controller.updateRules(rules, List.of());
    loop.run();
    return this;
  }

  /** An aggregator that connects now, and reports now and each second. */
  TestAggregator aggregator(String id, String zone, BucketKey bucket, double perSecond) {
    TestAggregator aggregator = stranger(id, 1, zone).offer(bucket, perSecond).connect();
    reporting(aggregator);
    aggregator.report();
    loop.run();
    return aggregator;
  }

  /** An aggregator that does nothing by itself. */
  TestAggregator stranger(String id, long epoch, String zone) {
    return new TestAggregator(controller.aggregators(), id, epoch, region, zone);
  }

  void reporting(TestAggregator aggregator) {
    reporting.add(aggregator);
    loop.schedule(Duration.ofSeconds(1).toNanos(), () -> reportAgain(aggregator));
  }

  private void reportAgain(TestAggregator aggregator) {
    if (reporting.contains(aggregator)) {
      aggregator.report();
      loop.schedule(Duration.ofSeconds(1).toNanos(), () -> reportAgain(aggregator));
    }
  }

  /** The aggregator reports no more. */
  void silence(TestAggregator aggregator) {
    reporting.remove(aggregator);
  }

  /** The aggregator's connection breaks. */
  void lose(TestAggregator aggregator) {
    silence(aggregator);
    aggregator.lose();
  }

  void runFor(double seconds) {
    loop.runFor(Duration.ofNanos((long) (seconds * 1e9)));
  }

  ControllerStatus status() {
    var status = controller.status();
    loop.run();
    return status.join();
  }

  double refused(String reason) {
    return registry.get("headgate.controller.refused").tag("reason", reason).counter().count();
  }

  double gauge(String name, String tag, String value) {
    return registry.get(name).tag(tag, value).gauge().value();
  }

  double gauge(String name) {
    return registry.get(name).gauge().value();
  }
}
