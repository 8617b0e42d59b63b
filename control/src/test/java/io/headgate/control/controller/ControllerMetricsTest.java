package io.headgate.control.controller;

import static io.headgate.control.controller.TestRegion.ORDERS;
import static io.headgate.control.controller.TestRegion.rule;
import static io.headgate.control.controller.TestRegion.rules;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.core.rule.BucketKey;
import io.headgate.core.rule.RuleSet;
import io.headgate.core.rule.Scope;
import io.headgate.protocol.v1.ZoneMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ControllerMetricsTest {

  private final TestRegion region = new TestRegion();

  @Test
  void showsEachRuleInEachDomain() {
    region.rules(rules(4, rule("orders", Scope.ZONE, 100, Map.of())));
    region.aggregator("a", "eu-1", ORDERS, 200);
    TestAggregator b = region.aggregator("b", "eu-2", ORDERS, 70);
    region.runFor(3);
    b.send(
        ZoneMessage.newBuilder().setReport(b.nextReport().addDropped(20).addWouldDrop(5)).build());
    region.silence(b);
    region.runFor(0.5);

    assertThat(ofRule("offered.per.second", "zone:eu-1")).isEqualTo(200);
    assertThat(ofRule("limit.per.second", "zone:eu-1")).isEqualTo(100);
    assertThat(ofRule("drop.ratio", "zone:eu-1")).isCloseTo(0.5, within(1e-6));
    region.runFor(0.6);
    assertThat(ofRule("offered.per.second", "zone:eu-2")).isEqualTo(70);
    assertThat(ofRule("admitted.per.second", "zone:eu-2")).isEqualTo(50);
    assertThat(ofRule("dropped.per.second", "zone:eu-2")).isEqualTo(20);
    assertThat(ofRule("would.drop.per.second", "zone:eu-2")).isEqualTo(5);
    assertThat(ofRule("drop.ratio", "zone:eu-2")).isZero();
  }

  @Test
  void sumsTheBucketsOfARulePerCaller() {
    region.rules(rules(1, TestRegion.perCaller("each", 10)));
    TestAggregator a =
        region.aggregator("a", "eu-1", new BucketKey("shop", "each", "caller-0", ""), 5);
    for (int caller = 1; caller < 50; caller++) {
      a.offer(new BucketKey("shop", "each", "caller-" + caller, ""), 20);
    }
    region.runFor(3);

    assertThat(region.registry.find("headgate.rule.offered.per.second").gauges()).hasSize(1);
    var offered = region.registry.get("headgate.rule.offered.per.second").gauge();
    assertThat(offered.value()).isEqualTo(5 + 49 * 20);
    assertThat(region.gauge("headgate.rule.drop.ratio")).isCloseTo(0.5, within(1e-6));
  }

  @Test
  void takesTheGaugesOfAVanishedRuleAway() {
    region.rules(rules(1, rule("orders", Scope.REGION, 100, Map.of())));
    region.aggregator("a", "eu-1", ORDERS, 200);
    region.runFor(3);

    region.rules(RuleSet.of(2, List.of()));
    region.runFor(3);

    assertThat(region.registry.find("headgate.rule.offered.per.second").gauges()).isEmpty();
  }

  @Test
  void showsTheStateOfTheController() {
    assertThat(region.gauge("headgate.controller.learning")).isEqualTo(1);
    region.rules(rules(4, rule("orders", Scope.REGION, 100, Map.of())));
    region.aggregator("a", "eu-1", ORDERS, 200).clients(7);
    TestAggregator b = region.aggregator("b", "eu-1", ORDERS, 1);
    region.runFor(3);
    region.silence(b);
    region.runFor(1);

    assertThat(region.gauge("headgate.controller.learning")).isZero();
    assertThat(region.gauge("headgate.controller.aggregators")).isEqualTo(2);
    assertThat(region.gauge("headgate.controller.clients")).isEqualTo(8);
    assertThat(region.gauge("headgate.controller.config.version")).isEqualTo(4);
    assertThat(region.gauge("headgate.controller.buckets")).isEqualTo(1);
    assertThat(region.gauge("headgate.controller.zone.report.age")).isEqualTo(1);
    assertThat(region.registry.get("headgate.controller.reports").counter().count()).isEqualTo(9);
    assertThat(region.registry.get("headgate.controller.tick").timer().count()).isEqualTo(4);
  }

  @Test
  void leavesNothingBehindWhenItStops() {
    region.rules(rules(4, rule("orders", Scope.REGION, 100, Map.of())));
    region.aggregator("a", "eu-1", ORDERS, 200);
    region.runFor(3);

    region.controller.stop();
    region.loop.run();

    assertThat(region.registry.getMeters()).isEmpty();
  }

  @Test
  void everyMetricIsOnTheMetricsPage() throws IOException {
    region.rules(rules(4, rule("orders", Scope.REGION, 100, Map.of())));
    region.aggregator("a", "eu-1", ORDERS, 200);
    region.runFor(3);

    String page = Files.readString(Path.of("../docs/metrics.md"));

    assertThat(region.registry.getMeters())
        .extracting(meter -> meter.getId().getName())
        .allMatch(name -> page.contains("`" + name + "`"));
    assertThat(Refusal.values()).allMatch(reason -> page.contains("`" + reason.tag() + "`"));
  }

  private double ofRule(String figure, String domain) {
    return region
        .registry
        .get("headgate.rule." + figure)
        .tags("service", "shop", "rule", "orders", "domain", domain)
        .gauge()
        .value();
  }
}
