package io.headgate.control.aggregator;

import static io.headgate.control.aggregator.Samples.bucket;
import static io.headgate.control.aggregator.Samples.report;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.core.rule.BucketKey;
import io.headgate.core.shed.Directive;
import io.headgate.protocol.v1.Directives;
import io.headgate.protocol.v1.Rules;
import io.headgate.protocol.v1.ZoneMessage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class FollowingTest {

  private static final BucketKey ALL = AggregatorWorld.ALL;

  private AggregatorWorld world;
  private FakeController first;
  private FakeController second;

  @BeforeEach
  void setUp() {
    world = new AggregatorWorld(2, settings -> settings);
    first = world.controller(0);
    second = world.controller(1);
  }

  @Test
  void everyControllerIsToldWhoReportsAndThenTheSums() {
    assertThat(first.read())
        .singleElement()
        .satisfies(
            message -> {
              assertThat(message.getHello().getAggregatorId()).isEqualTo("aggregator-0");
              assertThat(message.getHello().getEpoch()).isEqualTo(1);
              assertThat(message.getHello().getRegion()).isEqualTo("eu");
              assertThat(message.getHello().getZone()).isEqualTo("eu-1");
            });
    first.join(Samples.payments(1));
    second.join(Samples.payments(1));
    agent();
    world.interval();

    assertThat(first.offered()).containsEntry(ALL, 100.0);
    assertThat(second.offered()).containsEntry(ALL, 100.0);
  }

  @Test
  void aControllerGetsAReportAsSoonAsItAnswers() {
    first.join(Samples.payments(1));
    agent();
    world.interval();
    second.hello(false);

    assertThat(second.offered()).containsEntry(ALL, 100.0);
  }

  @Test
  void itStaysWithTheControllerThatItFollows() {
    second.join(Samples.payments(1));
    first.join(Samples.payments(2));
    world.interval();

    assertThat(world.status().following()).isEqualTo("controller-1");
    assertThat(
            world.gauge(
                "headgate.aggregator.controller.followed", "controller", "controller-1:7070"))
        .isEqualTo(1);
    assertThat(
            world.gauge(
                "headgate.aggregator.controller.followed", "controller", "controller-0:7070"))
        .isZero();
    assertThat(
            world.gauge(
                "headgate.aggregator.controller.connected", "controller", "controller-0:7070"))
        .isEqualTo(1);
  }

  @Test
  void onlyTheFollowedOnesRulesAndDirectivesAreHandedDown() {
    first.join(Samples.payments(1));
    second.join(Samples.paymentsWithLimit(2, 5));
    FakeAgent agent = agent();
    world.interval();
    first.direct(first.directives().setComplete(true));
    agent.take();

    second.directAll(ALL, 0.5);

    assertThat(agent.takeDirectives()).isEmpty();
    assertThat(world.status().configVersion()).isEqualTo(1);
  }

  @Test
  void whenTheFollowedOneIsGoneTheOthersLastDirectivesHoldAtOnce() {
    first.join(Samples.payments(1));
    second.join(Samples.payments(1));
    FakeAgent agent = agent();
    world.interval();
    first.directAll(ALL, 0.5);
    second.directAll(ALL, 0.25);
    agent.take();

    first.breakOff();

    assertThat(world.status().following()).isEqualTo("controller-1");
    assertThat(accept(agent)).isEqualTo(0.25);
  }

  @Test
  void directivesStayInForceWhileTheNextControllerHasSaidNothing() {
    first.join(Samples.payments(1));
    FakeAgent agent = agent();
    world.interval();
    first.directAll(ALL, 0.5);
    world.runFor(500);
    first.breakOff();
    second.join(Samples.payments(1));
    second.heartbeat();
    agent.take();
    world.interval();

    assertThat(agent.takeDirectives()).isEmpty();
    assertThat(world.status().buckets().get(0).dropRatio()).isEqualTo(0.5);

    second.directAll(ALL, 0.25);
    assertThat(accept(agent)).isEqualTo(0.25);
  }

  @Test
  void aHeartbeatOfAControllerThatHasNotJudgedRenewsNothing() {
    first.join(Samples.payments(1));
    FakeAgent agent = agent();
    world.interval();
    first.directAll(ALL, 0.5);
    first.breakOff();
    second.join(Samples.payments(1));
    for (int i = 0; i < 6; i++) {
      world.interval();
      second.heartbeat();
    }
    agent.take();
    world.interval();

    assertThat(agent.takeHeartbeatTtls()).containsExactly(0);
  }

  @Test
  void aControllerThatIsLearningIsFollowedOnlyIfThereIsNoOther() {
    first.hello(true);
    first.rules(Samples.payments(9));
    assertThat(world.status().following()).isEqualTo("controller-0");
    assertThat(world.aggregator.isReady()).isTrue();

    second.join(Samples.payments(9));
    assertThat(world.status().following()).isEqualTo("controller-1");
  }

  @Test
  void directivesOfAControllerThatIsLearningAreIgnored() {
    first.hello(true);
    first.rules(Samples.payments(1));
    FakeAgent agent = agent();
    world.interval();
    first.directAll(ALL, 0.5);
    assertThat(agent.takeDirectives()).isEmpty();

    first.hello(false);
    first.directAll(ALL, 0.5);
    assertThat(accept(agent)).isEqualTo(0.5);
  }

  @Test
  void ofSeveralItPrefersTheOneWithTheLatestRules() {
    AggregatorWorld three = new AggregatorWorld(3, settings -> settings);
    three.controller(0).join(Samples.payments(5));
    three.controller(1).join(Samples.payments(6));
    three.controller(2).join(Samples.payments(7));
    three.controller(0).breakOff();

    assertThat(three.status().following()).isEqualTo("controller-2");
  }

  @Test
  void aControllerThatFallsSilentForThreeIntervalsIsLeft() {
    first.join(Samples.payments(1));
    second.join(Samples.payments(1));
    for (int i = 0; i < 2; i++) {
      world.interval();
      second.heartbeat();
    }
    assertThat(world.status().following()).isEqualTo("controller-0");
    for (int i = 0; i < 2; i++) {
      world.interval();
      second.heartbeat();
    }
    assertThat(world.status().following()).isEqualTo("controller-1");
  }

  @Test
  void aStreamOnWhichNothingCameForTenIntervalsIsOpenedAgain() {
    first.join(Samples.payments(1));
    second.join(Samples.payments(1));
    for (int i = 0; i < 16; i++) {
      second.heartbeat();
      world.interval();
    }
    assertThat(first.connections()).isEqualTo(2);
    assertThat(second.connections()).isEqualTo(1);
  }

  @Test
  void aLostControllerIsTriedAgainAfterAPauseThatGrowsToFiveSeconds() {
    first.breakOff();
    world.runFor(100);
    assertThat(first.connections()).isEqualTo(2);

    for (int failures = 0; failures < 20; failures++) {
      first.breakOff();
      int before = first.connections();
      world.runFor(5000);
      assertThat(first.connections()).isEqualTo(before + 1);
    }
  }

  @Test
  void aControllerOfAnotherRegionIsRefused() {
    first.hello("us", false);

    assertThat(first.isConnected()).isFalse();
    assertThat(world.count("headgate.aggregator.controller.refused", "reason", "wrong_region"))
        .isEqualTo(1);
    assertThat(world.status().following()).isEmpty();
  }

  @Test
  void aControllerThatDoesNotSayWhoItIsIsRefused() {
    first.rules(Samples.payments(1));

    assertThat(first.isConnected()).isFalse();
    assertThat(world.count("headgate.aggregator.controller.refused", "reason", "no_hello"))
        .isEqualTo(1);
  }

  @Test
  void aReportIsLeftOutWhereTheLinkWouldStoreIt() {
    first.join(Samples.payments(1));
    agent();
    first.link().ready(false);
    world.interval();
    world.interval();
    assertThat(first.readReports()).hasSize(1);

    first.link().ready(true);
    world.interval();
    assertThat(first.offered()).containsEntry(ALL, 100.0);
  }

  @Test
  void anOlderVersionIsIgnoredUntilTheNewerSourceHasBeenSilentForTheTimeToLive() {
    first.join(Samples.paymentsWithLimit(6, 60));
    second.join(Samples.paymentsWithLimit(5, 50));
    FakeAgent agent = agent();
    agent.subscribe("payments");
    world.interval();
    second.directAll(ALL, 0.5);
    agent.take();
    first.breakOff();
    for (int i = 0; i < 3; i++) {
      world.interval();
      second.heartbeat();
    }
    assertThat(world.status().following()).isEqualTo("controller-1");
    assertThat(world.status().configVersion()).isEqualTo(6);
    assertThat(agent.takeDirectives()).isEmpty();

    for (int i = 0; i < 3; i++) {
      world.interval();
      second.heartbeat();
    }
    assertThat(world.status().configVersion()).isEqualTo(5);
    var messages = agent.take();
    assertThat(messages)
        .filteredOn(m -> m.hasRules())
        .singleElement()
        .extracting(m -> m.getRules().getConfigVersion())
        .isEqualTo(5L);
    assertThat(messages)
        .filteredOn(m -> m.hasDirectives() && m.getDirectives().getBucketCount() == 1)
        .singleElement()
        .extracting(m -> m.getDirectives().getConfigVersion())
        .isEqualTo(5L);
  }

  @Test
  void anOlderVersionStaysIgnoredWhileAnyControllerHasTheNewerRules() {
    first.join(Samples.paymentsWithLimit(6, 60));
    second.join(Samples.paymentsWithLimit(5, 50));
    for (int i = 0; i < 20; i++) {
      world.interval();
      first.hello(true);
      second.heartbeat();
    }

    assertThat(world.status().following()).isEqualTo("controller-1");
    assertThat(world.status().configVersion()).isEqualTo(6);
  }

  @Test
  void equalRulesOfAnOlderVersionDoNotStopTheDirectives() {
    first.join(Samples.payments(6));
    second.join(Samples.payments(5));
    FakeAgent agent = agent();
    world.interval();
    second.directAll(ALL, 0.25);
    first.breakOff();

    assertThat(accept(agent)).isEqualTo(0.25);
    assertThat(world.status().configVersion()).isEqualTo(6);
  }

  @Test
  void directivesForOlderRulesThanTheirSendersAreNotHandedDown() {
    first.join(Samples.payments(6));
    FakeAgent agent = agent();
    world.interval();
    int number = first.number(ALL);
    first.direct(
        Directives.newBuilder()
            .setConfigVersion(5)
            .setTtlMillis(5000)
            .setComplete(true)
            .addBucket(number)
            .addLevel(3)
            .addAccept(1));

    assertThat(agent.takeDirectives()).isEmpty();
  }

  @Test
  void aRollBackByARestartedControllerComesIntoForceAfterTheTimeToLive() {
    AggregatorWorld one = new AggregatorWorld();
    one.controller().join(Samples.paymentsWithLimit(6, 60));
    FakeAgent agent = one.connect("a");
    agent.subscribe("payments");
    agent.take();
    one.controller().breakOff();
    one.runFor(100);
    one.controller().join(Samples.paymentsWithLimit(1, 50));
    for (int i = 0; i < 4; i++) {
      one.interval();
      one.controller().heartbeat();
    }
    assertThat(agent.takeRules()).isEmpty();

    for (int i = 0; i < 2; i++) {
      one.interval();
      one.controller().heartbeat();
    }
    assertThat(agent.takeRules()).singleElement().extracting(Rules::getConfigVersion).isEqualTo(1L);
  }

  @Test
  void stoppingSaysGoodbyeToAllControllersAndConnectsNoMore() {
    first.join(Samples.payments(1));
    second.join(Samples.payments(1));
    second.breakOff();
    first.read();
    world.aggregator.stop();
    world.loop.run();

    assertThat(first.read()).singleElement().matches(ZoneMessage::hasGoodbye);
    assertThat(first.isConnected()).isFalse();
    world.runFor(20_000);
    assertThat(first.connections()).isEqualTo(1);
    assertThat(second.connections()).isEqualTo(1);
  }

  private FakeAgent agent() {
    FakeAgent agent = world.connect("a");
    agent.report(report(1).addDefine(bucket(1, "all", "")).addBucket(1).addOffered(100));
    return agent;
  }

  /** The share that the only directive since the last call lets pass. */
  private static double accept(FakeAgent agent) {
    Directives directives = agent.takeDirectives().get(0);
    assertThat(directives.getBucketList()).containsExactly(1);
    return new Directive(directives.getLevel(0), directives.getAccept(0)).acceptRatio();
  }
}
