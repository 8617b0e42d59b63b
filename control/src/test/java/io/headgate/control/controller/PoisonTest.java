package io.headgate.control.controller;

import static io.headgate.control.controller.TestRegion.ORDERS;
import static io.headgate.control.controller.TestRegion.rule;
import static io.headgate.control.controller.TestRegion.rules;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.control.VirtualEventLoop;
import io.headgate.core.rule.Scope;
import io.headgate.protocol.v1.BucketDefinition;
import io.headgate.protocol.v1.LevelRate;
import io.headgate.protocol.v1.ZoneHello;
import io.headgate.protocol.v1.ZoneMessage;
import io.headgate.protocol.v1.ZoneReport;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PoisonTest {

  private final TestRegion region =
      new TestRegion().rules(rules(1, rule("orders", Scope.REGION, 100, Map.of())));
  private TestAggregator a;

  @BeforeEach
  void demandIsTwiceTheLimit() {
    a = region.aggregator("a", "eu-1", ORDERS, 200);
    region.runFor(3);
  }

  @ParameterizedTest
  @ValueSource(
      doubles = {
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        -1,
        1.000001e12,
        9.3e18
      })
  void aRateOutOfRangeChangesNothing(double rate) {
    send(a.nextReport().setOffered(0, rate));
    send(a.nextReport().addDropped(rate));
    send(a.nextReport().addWouldDrop(rate));
    send(a.nextReport().addVariance(rate));
    send(a.nextReport().addLevel(LevelRate.newBuilder().setLevel(1).setOffered(rate)));

    assertUnharmed("bad_number", 5);
  }

  @Test
  void aColumnOfAnotherLengthChangesNothing() {
    send(a.nextReport().addOffered(1));
    send(a.nextReport().addDropped(1).addDropped(1));

    assertUnharmed("column_length", 2);
  }

  @Test
  void aLevelThatIsNoneOrOfNoRowOrMoreThanTheRowChangesNothing() {
    send(a.nextReport().addLevel(LevelRate.newBuilder().setLevel(12).setOffered(1)));
    send(a.nextReport().addLevel(LevelRate.newBuilder().setRow(1).setLevel(1).setOffered(1)));
    send(a.nextReport().addLevel(LevelRate.newBuilder().setLevel(1).setOffered(201)));
    send(a.nextReport().addLevel(LevelRate.newBuilder().setRow(-1).setLevel(1).setOffered(1)));

    assertUnharmed("bad_level", 4);
  }

  @Test
  void aBucketThatComesTwiceChangesNothing() {
    send(a.nextReport().addBucket(1).addOffered(300));

    assertUnharmed("repeated_bucket", 1);
  }

  @Test
  void rowsOfBucketsWithoutANameAreLeftOut() {
    send(a.nextReport().addBucket(77).addOffered(300).addBucket(0).addOffered(5));

    assertUnharmed("undefined_bucket", 2);
  }

  @Test
  void rowsOfUnknownRulesAreLeftOut() {
    send(
        a.nextReport()
            .addDefine(BucketDefinition.newBuilder().setId(2).setService("shop").setRule("none"))
            .addDefine(
                BucketDefinition.newBuilder()
                    .setId(3)
                    .setService("shop")
                    .setRule("orders")
                    .setCaller("nobody asked for callers"))
            .addBucket(2)
            .addOffered(300)
            .addBucket(3)
            .addOffered(300));

    assertUnharmed("unknown_rule", 2);
  }

  @Test
  void aNumberThatIsTakenKeepsItsMeaning() {
    send(
        a.nextReport()
            .addDefine(BucketDefinition.newBuilder().setId(1).setService("shop").setRule("x"))
            .addDefine(
                BucketDefinition.newBuilder().setId(2).setService("x".repeat(5000)).setRule("x")));

    assertUnharmed("bad_definition", 2);
  }

  @Test
  void namesInAReportWithPoisonedRowsAreTaken() {
    TestAggregator b = region.stranger("b", 1, "eu-1").offer(ORDERS, 50).connect();
    b.send(ZoneMessage.newBuilder().setReport(b.nextReport().setOffered(0, Double.NaN)).build());

    b.report();

    assertThat(region.refused("undefined_bucket")).isZero();
    region.runFor(1);
    assertThat(a.accept(ORDERS)).isCloseTo(100.0 / 250, within(1e-6));
  }

  @Test
  void repeatedAndOldReportsChangeNothing() {
    ZoneReport.Builder late = a.nextReport().setOffered(0, 900);
    a.report();
    send(late);
    send(a.nextReport().setSequence(0).setOffered(0, 900));

    assertUnharmed("repeated", 2);
  }

  @Test
  void aReportBeforeTheHelloChangesNothing() {
    TestAggregator stranger = region.stranger("s", 1, "eu-1").offer(ORDERS, 900).open();
    stranger.report();
    stranger.goodbye();
    stranger.send(ZoneMessage.getDefaultInstance());

    assertUnharmed("out_of_order", 3);
  }

  @Test
  void aSecondHelloChangesNothing() {
    a.send(
        ZoneMessage.newBuilder()
            .setHello(ZoneHello.newBuilder().setAggregatorId("z").setRegion("eu").setZone("eu-9"))
            .build());

    assertUnharmed("out_of_order", 1);
  }

  @Test
  void anAggregatorOfAnotherRegionIsTurnedAway() {
    TestAggregator astray =
        new TestAggregator(region.controller.aggregators(), "b", 1, "us", "us-1").connect();

    assertThat(astray.link().isClosed()).isTrue();
    assertUnharmed("wrong_region", 1);
  }

  @Test
  void aHelloWithoutANameIsTurnedAway() {
    TestAggregator nameless = region.stranger("", 1, "eu-1").connect();

    assertThat(nameless.link().isClosed()).isTrue();
    assertUnharmed("bad_hello", 1);
  }

  @Test
  void aStreamThatNamesTooManyBucketsIsEndedSoThatItBeginsAnew() {
    TestRegion small =
        new TestRegion(
            TestRegion.settings("controller-1", "eu", List.of()).withBounds(1, 5),
            new VirtualEventLoop(),
            new TestNetwork());
    TestAggregator b = small.stranger("b", 1, "eu-1").connect();
    ZoneReport.Builder report = b.nextReport();
    for (int id = 1; id <= 6; id++) {
      report.addDefine(
          BucketDefinition.newBuilder().setId(id).setService("shop").setRule("rule-" + id));
    }
    b.send(ZoneMessage.newBuilder().setReport(report).build());

    assertThat(b.link().isClosed()).isTrue();
    assertThat(small.refused("too_many_buckets")).isEqualTo(1);
  }

  @Test
  void moreStreamsThanAllowedAreTurnedAway() {
    TestRegion small =
        new TestRegion(
            TestRegion.settings("controller-1", "eu", List.of()).withBounds(1, 5),
            new VirtualEventLoop(),
            new TestNetwork());
    small.stranger("a", 1, "eu-1").connect();

    TestAggregator second = small.stranger("b", 1, "eu-1").open();

    assertThat(second.link().isClosed()).isTrue();
    assertThat(small.refused("too_many_streams")).isEqualTo(1);
  }

  private void send(ZoneReport.Builder report) {
    a.send(ZoneMessage.newBuilder().setReport(report).build());
  }

  /** The reason is counted, and the demand is what it was before. */
  private void assertUnharmed(String reason, int times) {
    assertThat(region.refused(reason)).isEqualTo(times);
    region.rules(rules(2, rule("orders", Scope.REGION, 50, Map.of())));
    assertThat(a.accept(ORDERS)).isCloseTo(0.25, within(1e-6));
  }
}
