package io.headgate.control.controller;

import static io.headgate.control.controller.TestRegion.ORDERS;
import static io.headgate.control.controller.TestRegion.rule;
import static io.headgate.control.controller.TestRegion.rules;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.headgate.control.VirtualEventLoop;
import io.headgate.control.status.BucketStatus;
import io.headgate.control.status.ControllerStatus.PeerLink;
import io.headgate.core.rule.BucketKey;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.RuleOptions;
import io.headgate.core.rule.Scope;
import io.headgate.core.rule.WhenCutOff;
import io.headgate.core.shed.Directive;
import io.headgate.core.shed.LawSettings;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class ExchangeTest {

  private static final Offset<Double> EXACTLY = within(1e-6);

  private final VirtualEventLoop loop = new VirtualEventLoop();
  private final TestNetwork network = new TestNetwork();

  @Test
  void sharesAGlobalLimitOverRegions() {
    TestRegion eu = region("eu-1", "eu", "us-1");
    TestRegion us = region("us-1", "us", "eu-1");
    TestAggregator a = eu.aggregator("a", "eu-a", ORDERS, 100);
    TestAggregator b = us.aggregator("b", "us-a", ORDERS, 60);
    global(120, eu, us);

    eu.runFor(4);

    assertThat(a.accept(ORDERS)).isCloseTo(0.75, EXACTLY);
    assertThat(b.accept(ORDERS)).isCloseTo(0.75, EXACTLY);
  }

  /**
   * 100 and 100 are offered; a limit of 50 in one region leaves 50 + 100 for the global limit of
   * 120, so that 40 and 80 pass in the end. Agents report the survivors of the narrow limit.
   */
  @Test
  void countsTheSurvivorsOfANarrowLimitAgainstTheGlobalOne() {
    Rule inEurope = rule("europe", Scope.REGION, 1e9, Map.of("eu", 50.0));
    Rule everywhere = rule("orders", Scope.GLOBAL, 120, Map.of());
    BucketKey europe = new BucketKey("shop", "europe", "", "");
    TestRegion eu = region("eu-1", "eu", "us-1");
    TestRegion us = region("us-1", "us", "eu-1");
    TestAggregator a = eu.aggregator("a", "eu-a", europe, 100).offer(ORDERS, 50);
    TestAggregator b = us.aggregator("b", "us-a", europe, 100).offer(ORDERS, 100);
    eu.rules(rules(1, inEurope, everywhere));
    us.rules(rules(1, inEurope, everywhere));

    eu.runFor(4);

    assertThat(100 * a.accept(europe) * a.accept(ORDERS)).isCloseTo(40, EXACTLY);
    assertThat(100 * b.accept(europe) * b.accept(ORDERS)).isCloseTo(80, EXACTLY);
  }

  @Test
  void leavesZonesAndRegionsWithALimitOfTheirOwnOut() {
    Rule rule = rule("orders", Scope.GLOBAL, 100, Map.of("eu-b", 1000.0, "asia", 1000.0));
    TestRegion eu = region("eu-1", "eu", "us-1", "asia-1");
    TestRegion us = region("us-1", "us", "eu-1", "asia-1");
    TestRegion asia = region("asia-1", "asia", "us-1", "eu-1");
    TestAggregator a = eu.aggregator("a", "eu-a", ORDERS, 120);
    TestAggregator apart = eu.aggregator("b", "eu-b", ORDERS, 500);
    TestAggregator c = us.aggregator("c", "us-a", ORDERS, 80);
    TestAggregator d = asia.aggregator("d", "asia-a", ORDERS, 700);
    for (TestRegion each : List.of(eu, us, asia)) {
      each.rules(rules(1, rule));
    }

    eu.runFor(4);

    assertThat(a.accept(ORDERS)).isCloseTo(0.5, EXACTLY);
    assertThat(c.accept(ORDERS)).isCloseTo(0.5, EXACTLY);
    assertThat(apart.directive(ORDERS)).isEqualTo(Directive.NONE);
    assertThat(d.directive(ORDERS)).isEqualTo(Directive.NONE);
  }

  @Test
  void carriesLevelsOverToOtherRegions() {
    TestRegion eu = region("eu-1", "eu", "us-1");
    TestRegion us = region("us-1", "us", "eu-1");
    TestAggregator a = eu.aggregator("a", "eu-a", ORDERS, 100);
    us.aggregator("b", "us-a", ORDERS, 0).offerAt(ORDERS, 0, 80).offerAt(ORDERS, 9, 70);
    global(130, eu, us);

    eu.runFor(4);

    // 80 at level 0 over there pass, and 50 of the 100 here; retries over there do not.
    assertThat(a.directive(ORDERS)).isEqualTo(new Directive(3, Directive.accept(0.5)));
  }

  @Test
  void believesOneOfSeveralReplicas() {
    TestRegion eu = region("eu-1", "eu", "us-1", "us-2");
    TestRegion us1 = region("us-1", "us", "eu-1");
    TestRegion us2 = region("us-2", "us", "eu-1");
    TestAggregator a = eu.aggregator("a", "eu-a", ORDERS, 100);
    us1.aggregator("b", "us-a", ORDERS, 100);
    us2.aggregator("b", "us-a", ORDERS, 300);
    global(100, eu, us1, us2);
    for (int second = 0; second < 10; second++) {
      eu.runFor(1);
    }
    // The one that was heard first, neither both nor one after the other.
    assertThat(a.takeDirectives()).flatExtracting(d -> d.getAcceptList()).containsOnly(1 << 31);

    network.cut("us-1");
    stop(us1);
    eu.runFor(2.4);
    assertThat(a.accept(ORDERS)).isCloseTo(0.5, EXACTLY);
    eu.runFor(1.2);
    assertThat(a.accept(ORDERS)).isCloseTo(0.25, EXACTLY);
  }

  @Test
  void holdsTheDemandOfASilentRegionAndForgetsItAfterTenHoldsIfTheRuleSaysOpen() {
    TestRegion eu = region("eu-1", "eu", "us-1");
    TestRegion us = region("us-1", "us", "eu-1");
    TestAggregator a = eu.aggregator("a", "eu-a", ORDERS, 100);
    us.aggregator("b", "us-a", ORDERS, 100);
    Rule open =
        rule("orders", Scope.GLOBAL, 100, Map.of())
            .withOptions(RuleOptions.DEFAULT.withWhenCutOff(WhenCutOff.OPEN));
    eu.rules(rules(1, open));
    us.rules(rules(1, open));
    eu.runFor(4);

    network.cut("us-1");
    stop(us);

    eu.runFor(24);
    assertThat(a.accept(ORDERS)).isCloseTo(0.5, EXACTLY);
    eu.runFor(3);
    assertThat(a.directive(ORDERS)).isEqualTo(Directive.NONE);
  }

  @Test
  void bothSidesOfACutHoldWhatTheyKnow() {
    TestRegion eu = region("eu-1", "eu", "us-1");
    TestRegion us = region("us-1", "us", "eu-1");
    TestAggregator a = eu.aggregator("a", "eu-a", ORDERS, 75);
    TestAggregator b = us.aggregator("b", "us-a", ORDERS, 75);
    global(100, eu, us);
    eu.runFor(4);

    network.freeze("us-1");
    network.freeze("eu-1");
    eu.runFor(20);

    assertThat(a.accept(ORDERS)).isCloseTo(2.0 / 3, EXACTLY);
    assertThat(b.accept(ORDERS)).isCloseTo(2.0 / 3, EXACTLY);
  }

  /** A tenth of the limit is dealt out equally, the rest by demand: 5 + 90 x 2/3 and 5 + 90 / 3. */
  @Test
  void bothSidesOfACutKeepToTheirShareAfterTheHold() {
    TestRegion eu = region("eu-1", "eu", "us-1");
    TestRegion us = region("us-1", "us", "eu-1");
    TestAggregator a = eu.aggregator("a", "eu-a", ORDERS, 100);
    TestAggregator b = us.aggregator("b", "us-a", ORDERS, 50);
    global(100, eu, us);
    eu.runFor(4);

    network.freeze("us-1");
    network.freeze("eu-1");
    a.offer(ORDERS, 200);
    b.offer(ORDERS, 200);
    eu.runFor(30);
    assertThat(200 * a.accept(ORDERS)).isCloseTo(65, EXACTLY);
    assertThat(200 * b.accept(ORDERS)).isCloseTo(35, EXACTLY);
    assertThat(eu.gauge("headgate.controller.region.cut.off", "region", "us")).isEqualTo(1);

    eu.runFor(3600);
    assertThat(200 * a.accept(ORDERS)).isCloseTo(65, EXACTLY);

    network.thaw();
    eu.runFor(3);
    assertThat(a.accept(ORDERS)).isCloseTo(0.25, EXACTLY);
    assertThat(b.accept(ORDERS)).isCloseTo(0.25, EXACTLY);
    assertThat(eu.gauge("headgate.controller.region.cut.off", "region", "us")).isZero();
  }

  @Test
  void aBucketThatNobodyKnewIsSharedEqually() {
    TestRegion eu = region("eu-1", "eu", "us-1");
    TestRegion us = region("us-1", "us", "eu-1");
    TestAggregator a = eu.aggregator("a", "eu-a", ORDERS, 0);
    TestAggregator b = us.aggregator("b", "us-a", ORDERS, 0);
    global(100, eu, us);
    eu.runFor(4);

    network.freeze("us-1");
    network.freeze("eu-1");
    eu.runFor(30);
    a.offer(ORDERS, 200);
    b.offer(ORDERS, 100);
    eu.runFor(3);

    assertThat(200 * a.accept(ORDERS)).isCloseTo(50, EXACTLY);
    assertThat(100 * b.accept(ORDERS)).isCloseTo(50, EXACTLY);
  }

  @Test
  void aRegionThatLostItsZonesTellsTheOthersWhatItCannotHold() {
    TestRegion eu = region("eu-1", "eu", "us-1");
    TestRegion us = region("us-1", "us", "eu-1");
    TestAggregator a = eu.aggregator("a", "eu-a", ORDERS, 75);
    TestAggregator b = us.aggregator("b", "us-a", ORDERS, 75);
    global(100, eu, us);
    eu.runFor(4);

    us.lose(b);
    eu.runFor(40);

    // All 75 pass there, which leaves 25 for the 75 here.
    assertThat(a.accept(ORDERS)).isCloseTo(1.0 / 3, EXACTLY);
  }

  @Test
  void waitsForAReachableRegionBeforeItJudges() {
    TestRegion us = region("us-1", "us", "eu-1");
    us.aggregator("b", "us-a", ORDERS, 300);
    global(100, us);
    us.runFor(10);

    TestRegion eu = region("eu-1", "eu", "us-1");
    TestAggregator a = eu.aggregator("a", "eu-a", ORDERS, 100);
    global(100, eu);
    eu.runFor(4);

    // Not for a moment all of the limit for this region.
    assertThat(a.takeDirectives())
        .isNotEmpty()
        .flatExtracting(d -> d.getAcceptList())
        .containsOnly(1 << 30);
  }

  @Test
  void doesNotWaitForARegionThatIsNotThere() {
    TestRegion eu = region("eu-1", "eu", "us-1");
    TestAggregator a = eu.aggregator("a", "eu-a", ORDERS, 200);
    global(100, eu);

    eu.runFor(1.5);

    assertThat(a.accept(ORDERS)).isCloseTo(0.5, EXACTLY);
  }

  @Test
  void aRestartedControllerIsReachedAgainAndItsRegionHeldMeanwhile() {
    TestRegion eu = region("eu-1", "eu", "us-1");
    TestRegion us = region("us-1", "us", "eu-1");
    TestAggregator a = eu.aggregator("a", "eu-a", ORDERS, 100);
    us.aggregator("b", "us-a", ORDERS, 100);
    global(100, eu, us);
    eu.runFor(4);

    network.cut("us-1");
    stop(us);
    eu.runFor(3);
    TestRegion restarted = region("us-1", "us", 2, "eu-1");
    TestAggregator b = restarted.aggregator("b", "us-a", ORDERS, 100);
    global(100, restarted);
    for (int i = 0; i < 80; i++) {
      eu.runFor(0.1);
      assertThat(a.accept(ORDERS)).isCloseTo(0.5, EXACTLY);
    }

    assertThat(b.accept(ORDERS)).isCloseTo(0.5, EXACTLY);
    assertThat(eu.status().peers())
        .singleElement()
        .satisfies(
            peer -> {
              assertThat(peer.connected()).isTrue();
              assertThat(peer.ageSeconds()).isBetween(0.0, 1.0);
            });
  }

  @Test
  void showsThePeersAndTheDemandOfAllRegions() {
    TestRegion eu = region("eu-1", "eu", "us-1", "asia-1");
    TestRegion us = region("us-1", "us", "eu-1");
    eu.aggregator("a", "eu-a", ORDERS, 100);
    us.aggregator("b", "us-a", ORDERS, 60);
    global(120, eu, us);
    eu.runFor(4);

    assertThat(eu.status().peers())
        .extracting(PeerLink::address, PeerLink::region, PeerLink::connected)
        .containsExactly(tuple("us-1", "us", true), tuple("asia-1", "", false));
    assertThat(eu.status().buckets())
        .singleElement()
        .extracting(BucketStatus::domain, BucketStatus::offeredPerSecond)
        .containsExactly("global", 160.0);
  }

  @Test
  void aPeerOfTheSameRegionIsTurnedAway() {
    TestRegion one = region("eu-1", "eu", "eu-2");
    TestRegion two = region("eu-2", "eu", "eu-1");
    one.aggregator("a", "eu-a", ORDERS, 100);
    two.aggregator("a", "eu-a", ORDERS, 100);
    global(120, one, two);

    one.runFor(6);

    assertThat(one.refused("wrong_region")).isPositive();
    assertThat(one.status().buckets())
        .singleElement()
        .satisfies(bucket -> assertThat(bucket.offeredPerSecond()).isEqualTo(100));
  }

  private TestRegion region(String id, String region, String... peers) {
    return region(id, region, 1, peers);
  }

  private TestRegion region(String id, String region, long epoch, String... peers) {
    ControllerSettings settings =
        ControllerSettings.of(id, epoch, region, List.of(peers)).withLaw(LawSettings.PLAIN);
    TestRegion started = new TestRegion(settings, loop, network);
    network.listen(id, started.controller.peers());
    return started;
  }

  private static void global(double limit, TestRegion... regions) {
    for (TestRegion each : regions) {
      each.rules(rules(1, rule("orders", Scope.GLOBAL, limit, Map.of())));
    }
  }

  private static void stop(TestRegion region) {
    region.controller.stop();
    region.loop.run();
  }
}
