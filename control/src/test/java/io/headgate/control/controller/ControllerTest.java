package io.headgate.control.controller;

import static io.headgate.control.controller.TestRegion.ORDERS;
import static io.headgate.control.controller.TestRegion.rule;
import static io.headgate.control.controller.TestRegion.rules;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.headgate.control.VirtualEventLoop;
import io.headgate.control.status.BucketStatus;
import io.headgate.core.rule.BucketKey;
import io.headgate.core.rule.RuleOptions;
import io.headgate.core.rule.Scope;
import io.headgate.core.shed.Directive;
import io.headgate.protocol.v1.Directives;
import io.headgate.protocol.v1.ZoneMessage;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class ControllerTest {

  private static final Offset<Double> EXACTLY = within(1e-6);

  private final TestRegion region = new TestRegion();

  @Test
  void sharesTheLimitOverAllZonesOfTheRegion() {
    region.rules(rules(1, rule("orders", Scope.REGION, 100, Map.of())));
    TestAggregator a = region.aggregator("a", "eu-1", ORDERS, 90);
    TestAggregator b = region.aggregator("b", "eu-2", ORDERS, 60);

    region.runFor(3);

    // 100 of 150 may pass, everywhere alike.
    assertThat(a.accept(ORDERS)).isCloseTo(2.0 / 3, EXACTLY);
    assertThat(b.accept(ORDERS)).isCloseTo(2.0 / 3, EXACTLY);
  }

  @Test
  void judgesEachZoneByItselfInZoneScope() {
    region.rules(rules(1, rule("orders", Scope.ZONE, 60, Map.of())));
    TestAggregator a = region.aggregator("a", "eu-1", ORDERS, 90);
    TestAggregator b = region.aggregator("b", "eu-2", ORDERS, 50);

    region.runFor(3);

    assertThat(a.accept(ORDERS)).isCloseTo(60.0 / 90, EXACTLY);
    assertThat(b.directive(ORDERS)).isEqualTo(Directive.NONE);
  }

  @Test
  void sumsTheAggregatorsOfAZone() {
    region.rules(rules(1, rule("orders", Scope.ZONE, 60, Map.of())));
    TestAggregator a = region.aggregator("a", "eu-1", ORDERS, 90);
    TestAggregator b = region.aggregator("b", "eu-1", ORDERS, 30);

    region.runFor(3);

    assertThat(a.accept(ORDERS)).isCloseTo(0.5, EXACTLY);
    assertThat(b.accept(ORDERS)).isCloseTo(0.5, EXACTLY);
  }

  @Test
  void tellsHowMuchOfTheLimitOfAGuardedRuleIsInUse() {
    region.rules(
        rules(
            1,
            rule("orders", Scope.REGION, 100, Map.of())
                .withOptions(RuleOptions.DEFAULT.withSurgeGuard(2))));
    TestAggregator a = region.aggregator("a", "eu-1", ORDERS, 60);

    region.runFor(3);
    assertThat(a.directive(ORDERS)).isEqualTo(Directive.inUse(0.6));

    // A tenth of itself is not worth a message to every process.
    a.offer(ORDERS, 65);
    region.runFor(3);
    assertThat(a.directive(ORDERS)).isEqualTo(Directive.inUse(0.6));
    a.offer(ORDERS, 70);
    region.runFor(3);
    assertThat(a.directive(ORDERS)).isEqualTo(Directive.inUse(0.7));

    a.offer(ORDERS, 200);
    region.runFor(3);
    assertThat(a.accept(ORDERS)).isCloseTo(0.5, EXACTLY);
    a.offer(ORDERS, 20);
    region.runFor(3);
    assertThat(a.directive(ORDERS)).isEqualTo(Directive.NONE);
  }

  @Test
  void countsAZoneWithALimitOfItsOwnApart() {
    region.rules(rules(1, rule("orders", Scope.REGION, 100, Map.of("eu-1", 30.0))));
    TestAggregator a = region.aggregator("a", "eu-1", ORDERS, 60);
    TestAggregator b = region.aggregator("b", "eu-2", ORDERS, 120);
    TestAggregator c = region.aggregator("c", "eu-3", ORDERS, 80);

    region.runFor(3);

    assertThat(a.accept(ORDERS)).isCloseTo(30.0 / 60, EXACTLY);
    assertThat(b.accept(ORDERS)).isCloseTo(100.0 / 200, EXACTLY);
    assertThat(c.accept(ORDERS)).isCloseTo(100.0 / 200, EXACTLY);
    assertThat(region.status().buckets())
        .extracting(
            BucketStatus::domain, BucketStatus::limitPerSecond, BucketStatus::offeredPerSecond)
        .containsExactlyInAnyOrder(
            tuple("zone:eu-1", 30.0, 60.0), tuple("region:eu", 100.0, 200.0));
  }

  @Test
  void aRegionWithALimitOfItsOwnIsNotPartOfTheGlobalDomain() {
    region.rules(rules(1, rule("orders", Scope.GLOBAL, 1000, Map.of("eu", 50.0))));
    TestAggregator a = region.aggregator("a", "eu-1", ORDERS, 100);

    region.runFor(3);

    assertThat(a.accept(ORDERS)).isCloseTo(0.5, EXACTLY);
  }

  @Test
  void shedsTheLeastUrgentFirst() {
    region.rules(rules(1, rule("orders", Scope.REGION, 100, Map.of())));
    TestAggregator a = region.aggregator("a", "eu-1", ORDERS, 80);
    a.offerAt(ORDERS, 0, 60).offerAt(ORDERS, 9, 50);

    region.runFor(3);

    // 60 at level 0 pass, 40 of 80 at level 3, no retries.
    assertThat(a.directive(ORDERS)).isEqualTo(new Directive(3, Directive.accept(0.5)));
  }

  @Test
  void sendsNoRowsWhileDemandIsUnderTheLimit() {
    region.rules(rules(1, rule("orders", Scope.REGION, 100, Map.of())));
    TestAggregator a = region.aggregator("a", "eu-1", ORDERS, 80);

    region.runFor(5);

    assertThat(a.takeDirectives()).isNotEmpty().allMatch(d -> d.getBucketCount() == 0);
  }

  @Test
  void firstMessageIsCompleteAndLaterOnesRenew() {
    region.rules(rules(7, rule("orders", Scope.REGION, 100, Map.of())));
    TestAggregator a = region.aggregator("a", "eu-1", ORDERS, 200);
    region.runFor(5);

    List<Directives> directives = a.takeDirectives();

    assertThat(directives.get(0).getComplete()).isTrue();
    assertThat(directives.get(0).getBucketCount()).isEqualTo(1);
    assertThat(directives.subList(1, directives.size()))
        .hasSizeGreaterThanOrEqualTo(3)
        .allMatch(d -> !d.getComplete() && d.getBucketCount() == 0);
    assertThat(directives).allMatch(d -> d.getTtlMillis() == 5000 && d.getConfigVersion() == 7);
  }

  @Test
  void clearsExplicitlyWhenDemandFalls() {
    region.rules(rules(1, rule("orders", Scope.REGION, 100, Map.of())));
    TestAggregator a = region.aggregator("a", "eu-1", ORDERS, 200);
    region.runFor(3);
    a.take();

    a.offer(ORDERS, 50);
    region.runFor(2);

    assertThat(a.takeDirectives())
        .filteredOn(d -> d.getBucketCount() > 0)
        .singleElement()
        .satisfies(d -> assertThat(d.getLevelList()).containsExactly(Directive.NO_LEVEL));
  }

  @Test
  void leavesOutChangesThatAreNotWorthAMessage() {
    region.rules(rules(1, rule("orders", Scope.REGION, 100, Map.of())));
    TestAggregator a = region.aggregator("a", "eu-1", ORDERS, 200);
    region.runFor(3);
    a.take();

    a.offer(ORDERS, 200.1);
    region.runFor(1.5);
    assertThat(a.takeDirectives()).allMatch(d -> d.getBucketCount() == 0);

    a.offer(ORDERS, 200.3);
    region.runFor(1.5);
    assertThat(a.takeDirectives()).anyMatch(d -> d.getBucketCount() == 1);
  }

  @Test
  void judgesEachCallerByItself() {
    region.rules(rules(1, TestRegion.perCaller("each", 10)));
    BucketKey web = new BucketKey("shop", "each", "web", "");
    BucketKey app = new BucketKey("shop", "each", "app", "");
    TestAggregator a = region.aggregator("a", "eu-1", web, 40);
    a.offer(app, 5);

    region.runFor(3);

    assertThat(a.accept(web)).isCloseTo(0.25, EXACTLY);
    assertThat(a.directive(app)).isEqualTo(Directive.NONE);
  }

  @Test
  void waitsForASlowStreamAndThenSendsTheLatest() {
    region.rules(rules(1, rule("orders", Scope.REGION, 100, Map.of())));
    TestAggregator a = region.aggregator("a", "eu-1", ORDERS, 200);
    region.runFor(3);
    a.take();
    a.link().ready(false);
    a.offer(ORDERS, 400);
    region.runFor(2);
    a.offer(ORDERS, 500);
    region.runFor(2);
    assertThat(a.take()).isEmpty();

    a.becomeReady();

    assertThat(a.accept(ORDERS)).isCloseTo(0.2, EXACTLY);
  }

  @Test
  void aStreamThatJoinsGetsTheDirectivesInForceAtOnce() {
    region.rules(rules(1, rule("orders", Scope.REGION, 100, Map.of())));
    region.aggregator("a", "eu-1", ORDERS, 200);
    region.runFor(3.3);

    TestAggregator b = region.aggregator("b", "eu-1", ORDERS, 0);
    region.runFor(0.02);

    assertThat(b.accept(ORDERS)).isCloseTo(0.5, EXACTLY);
  }

  @Test
  void theLawInUseSettlesAtTheSameShareAndLetsDemandAtTheLimitPass() {
    TestRegion ours =
        new TestRegion(
            ControllerSettings.of("controller-1", 1, "eu", List.of()),
            new VirtualEventLoop(),
            new TestNetwork());
    BucketKey calm = new BucketKey("shop", "calm", "", "");
    ours.rules(
        rules(
            1,
            rule("orders", Scope.REGION, 1000, Map.of()),
            rule("calm", Scope.REGION, 1000, Map.of())));
    TestAggregator a = ours.aggregator("a", "eu-1", ORDERS, 1500).offer(calm, 1000);

    ours.runFor(20);

    assertThat(a.accept(ORDERS)).isCloseTo(2.0 / 3, within(1e-3));
    assertThat(a.directive(calm)).isEqualTo(Directive.NONE);
  }

  @Test
  void anUrgentReportIsJudgedAtOnceTogetherWithThoseOfTheNextMoment() {
    region.rules(rules(1, rule("orders", Scope.REGION, 100, Map.of())));
    TestAggregator a = region.aggregator("a", "eu-1", ORDERS, 40);
    TestAggregator b = region.aggregator("b", "eu-2", ORDERS, 40);
    region.runFor(3.2);
    a.take();
    b.take();

    urgent(a.offer(ORDERS, 200));
    urgent(b.offer(ORDERS, 200));
    region.runFor(0.05);

    for (TestAggregator each : List.of(a, b)) {
      assertThat(each.takeDirectives())
          .singleElement()
          .satisfies(d -> assertThat(d.getAcceptList()).containsExactly(1 << 30));
    }
  }

  @Test
  void whatHasMovedLittleWaitsForTheTickWhileOtherDemandIsUrgent() {
    BucketKey drifting = new BucketKey("shop", "drifting", "", "");
    region.rules(
        rules(
            1,
            rule("orders", Scope.REGION, 100, Map.of()),
            rule("drifting", Scope.REGION, 1000, Map.of())));
    TestAggregator a = region.aggregator("a", "eu-1", ORDERS, 40).offer(drifting, 10_000);
    region.runFor(3.2);
    a.take();

    urgent(a.offer(ORDERS, 400).offer(drifting, 10_400));
    region.runFor(0.05);

    assertThat(a.accept(ORDERS)).isCloseTo(0.25, EXACTLY);
    assertThat(a.accept(drifting)).isCloseTo(0.1, EXACTLY);

    a.report();
    region.runFor(1);

    assertThat(a.accept(drifting)).isLessThan(0.0999);
  }

  private static void urgent(TestAggregator aggregator) {
    aggregator.send(
        ZoneMessage.newBuilder().setReport(aggregator.nextReport().setUrgent(true)).build());
  }
}
