package io.headgate.control.aggregator;

import static io.headgate.control.aggregator.Samples.bucket;
import static io.headgate.control.aggregator.Samples.firstReport;
import static io.headgate.control.aggregator.Samples.report;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import io.headgate.core.rule.BucketKey;
import io.headgate.core.shed.Directive;
import io.headgate.protocol.v1.Directives;
import io.headgate.protocol.v1.LevelCount;
import io.headgate.protocol.v1.ZoneReport;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DirectiveRelayTest {

  private static final BucketKey ALL = AggregatorWorld.ALL;
  private static final BucketKey SHOP = new BucketKey("payments", "each", "shop", "");
  private static final int HALF = Directive.accept(0.5);
  private static final int THIRD = Directive.accept(1.0 / 3);

  private final AggregatorWorld world = AggregatorWorld.withRules();

  @Test
  void aDirectiveReachesTheAgentsThatHaveTheBucketAtOnce() {
    FakeAgent a = reporting("a", bucketNumber(4, "all", ""));
    FakeAgent b = reporting("b", bucketNumber(1, "each", "shop"));
    world.interval();
    world.controller().direct(world.controller().directives().setComplete(true));
    a.take();
    b.take();

    world.controller().directAll(ALL, 0.5);

    assertThat(a.takeDirectives())
        .singleElement()
        .satisfies(
            directives -> {
              assertThat(directives.getBucketList()).containsExactly(4);
              assertThat(directives.getLevelList()).containsExactly(3);
              assertThat(directives.getAcceptList()).containsExactly(HALF);
              assertThat(directives.getTtlMillis()).isEqualTo(5000);
              assertThat(directives.getConfigVersion()).isEqualTo(1);
            });
    assertThat(b.takeDirectives()).isEmpty();
  }

  @Test
  void whoAsksIsToldWhatIsKnownAtOnce() {
    reporting("a", bucketNumber(4, "all", ""));
    world.interval();
    world.controller().directAll(ALL, 0.5);

    FakeAgent asking = world.connect("b");
    asking.ask(bucket(1, "all", ""));

    assertThat(asking.takeDirectives())
        .singleElement()
        .satisfies(
            directives -> {
              assertThat(directives.getBucketList()).containsExactly(1);
              assertThat(directives.getAcceptList()).containsExactly(HALF);
            });
  }

  @Test
  void whatNobodyKnowsIsAskedOfTheControllerAndItsAnswerIsPassedOn() {
    world.controller().direct(world.controller().directives().setComplete(true));
    FakeAgent agent = world.connect("a");
    world.controller().readReports();

    agent.ask(bucket(1, "all", ""));
    world.runFor(20);

    assertThat(world.controller().readReports())
        .singleElement()
        .satisfies(
            report -> {
              assertThat(report.getUrgent()).isTrue();
              assertThat(report.getClients()).isZero();
              assertThat(report.getAsking()).isEqualTo(1);
              assertThat(report.getDefineList()).extracting("rule").containsExactly("all");
              assertThat(report.getOfferedList()).containsExactly(0.0);
            });
    assertThat(agent.takeDirectives()).isEmpty();
    world.controller().directAll(ALL, 0.5);
    assertThat(agent.takeDirectives())
        .singleElement()
        .extracting("bucketList")
        .asList()
        .contains(1);

    agent.report(report(1).addBucket(1).addOffered(70));
    world.interval();
    ZoneReport last = lastOf(world.controller().readReports());
    assertThat(last.getClients()).isEqualTo(1);
    assertThat(last.getAsking()).isZero();
    assertThat(world.offered()).isEqualTo(70);
  }

  @Test
  void whoAsksBeforeThereAreRulesIsAskedForWhenTheyCome() {
    AggregatorWorld world = new AggregatorWorld();
    FakeAgent agent = world.connect("a");
    agent.ask(bucket(1, "all", ""));
    world.controller().join(Samples.payments(1));
    world.runFor(20);

    world.controller().directAll(ALL, 0.5);

    assertThat(agent.takeDirectives()).hasSize(1);
  }

  @Test
  void whoAsksAndLeavesAsksNoMore() {
    FakeAgent agent = world.connect("a");
    agent.ask(bucket(1, "all", ""));
    world.interval();
    assertThat(lastOf(world.controller().readReports()).getAsking()).isEqualTo(1);

    agent.breakOff();
    world.interval();

    assertThat(lastOf(world.controller().readReports()).getAsking()).isZero();
  }

  private static ZoneReport lastOf(List<ZoneReport> reports) {
    return reports.get(reports.size() - 1);
  }

  @Test
  void aChangeSaysOnlyWhatHasChanged() {
    FakeAgent agent = world.connect("a");
    agent.report(firstReport(100).addDefine(bucket(2, "each", "shop")).addBucket(2).addOffered(70));
    world.interval();
    int all = world.controller().number(ALL);
    int shop = world.controller().number(SHOP);
    world
        .controller()
        .direct(rows(world.controller().directives().setComplete(true), all, HALF, shop, HALF));
    agent.take();

    world.controller().direct(rows(world.controller().directives(), all, HALF, shop, THIRD));
    assertThat(agent.takeDirectives())
        .singleElement()
        .satisfies(
            directives -> {
              assertThat(directives.getBucketList()).containsExactly(2);
              assertThat(directives.getAcceptList()).containsExactly(THIRD);
            });
  }

  @Test
  void theEndOfADirectiveIsToldAtOnce() {
    FakeAgent agent = reporting("a", bucketNumber(4, "all", ""));
    world.interval();
    world.controller().directAll(ALL, 0.5);
    agent.take();

    world
        .controller()
        .direct(
            world
                .controller()
                .directives()
                .addBucket(world.controller().number(ALL))
                .addLevel(Directive.NO_LEVEL)
                .addAccept(-1));

    assertThat(agent.takeDirectives())
        .singleElement()
        .satisfies(
            directives -> {
              assertThat(directives.getBucketList()).containsExactly(4);
              assertThat(directives.getLevelList()).containsExactly(Directive.NO_LEVEL);
            });
  }

  @Test
  void aCompleteMessageEndsTheDirectivesThatItLeavesOut() {
    FakeAgent agent = reporting("a", bucketNumber(4, "all", ""));
    world.interval();
    world.controller().directAll(ALL, 0.5);
    agent.take();

    world.controller().direct(world.controller().directives().setComplete(true));

    assertThat(agent.takeDirectives())
        .singleElement()
        .satisfies(d -> assertThat(d.getLevelList()).containsExactly(Directive.NO_LEVEL));
  }

  @Test
  void aNewStreamIsToldAllInAnswerToItsFirstReport() {
    reporting("a", bucketNumber(1, "all", ""));
    world.interval();
    world.controller().directAll(ALL, 0.5);
    FakeAgent late = world.connect("late");
    world.interval();
    assertThat(late.takeDirectives()).isEmpty();

    late.report(report(1).addDefine(bucket(9, "all", "")).addBucket(9).addOffered(1));
    assertThat(late.takeDirectives())
        .singleElement()
        .satisfies(
            directives -> {
              assertThat(directives.getBucketList()).containsExactly(9);
              assertThat(directives.getAcceptList()).containsExactly(HALF);
            });
  }

  @Test
  void aBucketThatIsDefinedLaterIsToldAtOnce() {
    reporting("a", bucketNumber(1, "all", ""));
    FakeAgent other = reporting("b", bucketNumber(1, "each", "shop"));
    world.interval();
    world.controller().directAll(ALL, 0.5);
    other.take();

    other.report(report(2).addDefine(bucket(2, "all", "")).addBucket(2).addOffered(1));

    assertThat(other.takeDirectives())
        .singleElement()
        .satisfies(
            directives -> {
              assertThat(directives.getBucketList()).containsExactly(2);
              assertThat(directives.getAcceptList()).containsExactly(HALF);
            });
  }

  @Test
  void changesWaitForASlowLinkAndAreToldTogether() {
    FakeAgent agent = reporting("a", bucketNumber(1, "all", ""));
    world.interval();
    world.controller().directAll(ALL, 0.9);
    agent.take();
    agent.linkReady(false);
    world.controller().directAll(ALL, 0.7);
    world.interval();
    world.controller().directAll(ALL, 0.5);
    assertThat(agent.take()).isEmpty();

    agent.linkReady(true);
    assertThat(agent.takeDirectives())
        .singleElement()
        .satisfies(directives -> assertThat(directives.getAcceptList()).containsExactly(HALF));
  }

  @Test
  void heartbeatsCarryWhatIsLeftOfTheTimeToLive() {
    FakeAgent agent = reporting("a", bucketNumber(1, "all", ""));
    world.interval();
    world.controller().directAll(ALL, 0.5);
    agent.take();

    List<Integer> seconds = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      world.interval();
      agent.takeHeartbeatTtls().forEach(ttl -> seconds.add((ttl + 999) / 1000));
    }

    assertThat(seconds).containsExactly(5, 4, 3, 2, 1, 0, 0);
  }

  @Test
  void agentsHearTheAggregatorEachIntervalEvenIfThereIsNothingToSay() {
    AggregatorWorld cold = new AggregatorWorld();
    FakeAgent agent = cold.connect("a");
    cold.runFor(5000);

    assertThat(agent.takeHeartbeatTtls()).containsExactly(0, 0, 0, 0, 0);
  }

  @Test
  void afterTheControllerFellSilentNothingIsRenewedAndNothingIsClearedEither() {
    FakeAgent agent = reporting("a", bucketNumber(1, "all", ""));
    world.interval();
    world.controller().directAll(ALL, 0.5);
    world.runFor(4000);
    agent.take();
    world.runFor(3000);

    assertThat(agent.takeDirectives()).isEmpty();
    world.interval();
    assertThat(agent.takeHeartbeatTtls()).containsExactly(0);
  }

  @Test
  void whenAControllerJudgesAgainAgentsAreToldOfEachBucket() {
    FakeAgent agent = reporting("a", bucketNumber(1, "all", ""));
    world.interval();
    world.controller().directAll(ALL, 0.5);
    world.runFor(7000);
    agent.take();
    world.controller().direct(world.controller().directives().setComplete(true));

    assertThat(agent.takeDirectives())
        .singleElement()
        .satisfies(
            directives -> {
              assertThat(directives.getBucketList()).containsExactly(1);
              assertThat(directives.getLevelList()).containsExactly(Directive.NO_LEVEL);
              assertThat(directives.getTtlMillis()).isEqualTo(5000);
            });
  }

  @Test
  void aHeartbeatOfTheControllerRenewsTheTimeToLive() {
    FakeAgent agent = reporting("a", bucketNumber(1, "all", ""));
    world.interval();
    world.controller().directAll(ALL, 0.5);
    for (int i = 0; i < 10; i++) {
      world.interval();
      world.controller().heartbeat();
    }
    agent.take();
    world.interval();

    assertThat(agent.takeHeartbeatTtls())
        .singleElement()
        .satisfies(ttl -> assertThat(ttl).isBetween(4000, 5000));
    assertThat(world.status().buckets()).isEmpty();
  }

  @Test
  void theStatusShowsTheShareThatIsDropped() {
    FakeAgent agent = reporting("a", bucketNumber(1, "all", ""));
    world.interval();
    world.controller().directAll(ALL, 0.75);
    agent.report(
        report(2)
            .addBucket(1)
            .addOffered(100)
            .addLevel(LevelCount.newBuilder().setRow(0).setLevel(9).setOffered(20)));
    world.interval();

    // A quarter of the 80 at the default level, and the 20 retries.
    assertThat(world.status().buckets())
        .singleElement()
        .satisfies(
            bucket -> {
              assertThat(bucket.dropRatio()).isCloseTo(0.4, offset(1e-6));
              assertThat(bucket.limitPerSecond()).isEqualTo(1000);
              assertThat(bucket.domain()).isEqualTo("global");
              assertThat(bucket.behavior()).isEqualTo("deny");
            });
  }

  @Test
  void directivesThatMakeNoSenseAreRefusedAndThoseBeforeStay() {
    FakeAgent agent = reporting("a", bucketNumber(1, "all", ""));
    world.interval();
    world.controller().directAll(ALL, 0.5);
    int all = world.controller().number(ALL);
    agent.take();

    world.controller().direct(world.controller().directives().addBucket(all).addLevel(3));
    world
        .controller()
        .direct(world.controller().directives().addBucket(all).addLevel(12).addAccept(1));
    world
        .controller()
        .direct(world.controller().directives().addBucket(all + 50).addLevel(3).addAccept(1));

    assertThat(agent.takeDirectives()).isEmpty();
    assertThat(world.count("headgate.aggregator.controller.refused", "reason", "bad_message"))
        .isEqualTo(2);
    assertThat(world.count("headgate.aggregator.controller.refused", "reason", "unknown_bucket"))
        .isEqualTo(1);
  }

  @Test
  void noControllerCanHoldTrafficForMoreThanAMinute() {
    FakeAgent agent = reporting("a", bucketNumber(1, "all", ""));
    world.interval();
    world
        .controller()
        .direct(world.controller().directives().setComplete(true).setTtlMillis(Integer.MAX_VALUE));
    assertThat(agent.takeDirectives())
        .singleElement()
        .extracting(Directives::getTtlMillis)
        .isEqualTo(60_000);
  }

  @Test
  void aBucketThatWasNotJudgedKeepsWhatIsInForce() {
    FakeAgent agent = reporting("a", bucketNumber(1, "all", ""));
    world.interval();
    int all = world.controller().number(ALL);

    world.controller().direct(world.controller().directives().setComplete(true).setJudgedTo(0));
    assertThat(agent.takeDirectives()).isEmpty();
    world.interval();
    assertThat(agent.takeDirectives()).isEmpty();

    world.controller().direct(world.controller().directives().setJudgedTo(all));
    assertThat(agent.takeDirectives())
        .singleElement()
        .satisfies(d -> assertThat(d.getLevelList()).containsExactly(Directive.NO_LEVEL));
  }

  @Test
  void aBucketWithoutDemandIsNotHeldForEver() {
    FakeAgent agent = reporting("a", bucketNumber(1, "all", ""));
    world.interval();
    world.controller().heartbeat();
    world.controller().direct(world.controller().directives().setComplete(true));
    agent.report(report(2).addDefine(bucket(2, "each", "shop")));
    agent.takeDirectives();

    world.interval();

    assertThat(agent.takeDirectives())
        .singleElement()
        .satisfies(
            directives -> {
              assertThat(directives.getBucketList()).containsExactly(2);
              assertThat(directives.getLevelList()).containsExactly(Directive.NO_LEVEL);
            });
  }

  private record Number(int id, String rule, String caller) {}

  private static Number bucketNumber(int id, String rule, String caller) {
    return new Number(id, rule, caller);
  }

  private FakeAgent reporting(String clientId, Number bucket) {
    FakeAgent agent = world.connect(clientId);
    agent.report(
        report(1)
            .addDefine(bucket(bucket.id(), bucket.rule(), bucket.caller()))
            .addBucket(bucket.id())
            .addOffered(100));
    return agent;
  }

  private static Directives.Builder rows(
      Directives.Builder message, int one, int acceptOne, int two, int acceptTwo) {
    return message
        .addBucket(one)
        .addLevel(3)
        .addAccept(acceptOne)
        .addBucket(two)
        .addLevel(3)
        .addAccept(acceptTwo);
  }
}
