package io.headgate.control.aggregator;

import static io.headgate.control.aggregator.Samples.SECOND_NANOS;
import static io.headgate.control.aggregator.Samples.bucket;
import static io.headgate.control.aggregator.Samples.firstReport;
import static io.headgate.control.aggregator.Samples.report;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.headgate.core.rule.BucketKey;
import io.headgate.core.rule.RuleSet;
import io.headgate.core.rule.ServiceRules;
import io.headgate.protocol.v1.LevelCount;
import io.headgate.protocol.v1.Report;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class ReportRefusalTest {

  private AggregatorWorld world;
  private FakeAgent good;
  private FakeAgent bad;

  @BeforeEach
  void setUp() {
    world = AggregatorWorld.withRules();
    good = world.connect("good");
    bad = world.connect("bad");
    good.report(firstReport(100));
    bad.report(firstReport(20));
  }

  static Stream<Arguments> poison() {
    return Stream.of(
        poison("offered of 2^63", Refusal.NEGATIVE, r -> r.addBucket(1).addOffered(1L << 63)),
        poison(
            "dropped of 2^64 - 1",
            Refusal.NEGATIVE,
            r -> r.addBucket(1).addOffered(1).addDropped(-1)),
        poison(
            "would-drop of 2^63",
            Refusal.NEGATIVE,
            r -> r.addBucket(1).addOffered(1).addWouldDrop(Long.MIN_VALUE)),
        poison("sequence of 2^63", Refusal.NEGATIVE, r -> r.setSequence(1L << 63)),
        poison(
            "level count of 2^63",
            Refusal.NEGATIVE,
            r -> r.addBucket(1).addOffered(1).addLevel(level(0, 5, Long.MIN_VALUE))),
        poison(
            "offered of 10^9 + 1 in a second",
            Refusal.RATE,
            r -> r.addBucket(1).addOffered(1_000_000_001)),
        poison("offered of 2^53 + 1", Refusal.RATE, r -> r.addBucket(1).addOffered((1L << 53) + 1)),
        poison("no time", Refusal.ELAPSED, r -> r.setElapsedNanos(0).addBucket(1).addOffered(1)),
        poison("less than a millisecond", Refusal.ELAPSED, r -> r.setElapsedNanos(999_999)),
        poison("more than an hour", Refusal.ELAPSED, r -> r.setElapsedNanos(3601 * SECOND_NANOS)),
        poison("a time of 2^63", Refusal.ELAPSED, r -> r.setElapsedNanos(1L << 63)),
        poison(
            "a column too short",
            Refusal.COLUMN_LENGTH,
            r -> r.addBucket(1).addBucket(2).addOffered(1)),
        poison(
            "a column too long",
            Refusal.COLUMN_LENGTH,
            r -> r.addBucket(1).addOffered(1).addDropped(0).addDropped(0)),
        poison("counts without a bucket", Refusal.COLUMN_LENGTH, r -> r.addWouldDrop(1)),
        poison(
            "a bucket never defined", Refusal.UNDEFINED_BUCKET, r -> r.addBucket(7).addOffered(1)),
        poison("bucket 0", Refusal.UNDEFINED_BUCKET, r -> r.addBucket(0).addOffered(1)),
        poison("bucket 2^32 - 1", Refusal.UNDEFINED_BUCKET, r -> r.addBucket(-1).addOffered(1)),
        poison(
            "the same bucket twice",
            Refusal.REPEATED_BUCKET,
            r -> r.addBucket(1).addOffered(1).addBucket(1).addOffered(1)),
        poison(
            "more dropped than offered",
            Refusal.DROPPED_EXCEEDS_OFFERED,
            r -> r.addBucket(1).addOffered(5).addDropped(6)),
        poison(
            "drops without offers",
            Refusal.DROPPED_EXCEEDS_OFFERED,
            r -> r.addBucket(1).addDropped(1)),
        poison(
            "more would-be drops than offered",
            Refusal.DROPPED_EXCEEDS_OFFERED,
            r -> r.addBucket(1).addOffered(5).addWouldDrop(6)),
        poison(
            "level 12", Refusal.LEVEL, r -> r.addBucket(1).addOffered(5).addLevel(level(0, 12, 1))),
        poison(
            "level 2^32 - 1",
            Refusal.LEVEL,
            r -> r.addBucket(1).addOffered(5).addLevel(level(0, -1, 1))),
        poison(
            "a level of no row",
            Refusal.LEVEL,
            r -> r.addBucket(1).addOffered(5).addLevel(level(1, 5, 1))),
        poison(
            "a level of row 2^32 - 1",
            Refusal.LEVEL,
            r -> r.addBucket(1).addOffered(5).addLevel(level(-1, 5, 1))),
        poison(
            "levels that add up to more than was offered",
            Refusal.LEVEL,
            r -> r.addBucket(1).addOffered(5).addLevel(level(0, 1, 3)).addLevel(level(0, 2, 3))),
        poison(
            "a level count near the greatest number",
            Refusal.LEVEL,
            r -> r.addBucket(1).addOffered(5).addLevel(level(0, 1, Long.MAX_VALUE))),
        poison("a definition as 0", Refusal.DEFINITION, r -> r.addDefine(bucket(0, "all", ""))),
        poison(
            "a number for two buckets at once",
            Refusal.DEFINITION,
            r -> r.addDefine(bucket(9, "each", "a")).addDefine(bucket(9, "each", "b"))),
        poison(
            "a number that another bucket has",
            Refusal.DEFINITION,
            r -> r.addDefine(bucket(1, "each", "a"))),
        poison("a rule without a name", Refusal.DEFINITION, r -> r.addDefine(bucket(9, "", ""))),
        poison(
            "a caller with a name of 513 characters",
            Refusal.DEFINITION,
            r -> r.addDefine(bucket(9, "each", "x".repeat(513)))),
        poison(
            "20,001 rows",
            Refusal.TOO_MANY_ROWS,
            r -> {
              for (int i = 0; i < 20_001; i++) {
                r.addBucket(1).addOffered(1);
              }
            }),
        poison(
            "20,001 definitions",
            Refusal.TOO_MANY_ROWS,
            r -> {
              for (int i = 0; i < 20_001; i++) {
                r.addDefine(bucket(100 + i, "each", "c" + i));
              }
            }),
        poison(
            "more level entries than levels",
            Refusal.TOO_MANY_ROWS,
            r -> {
              r.addBucket(1).addOffered(50);
              for (int i = 0; i < 13; i++) {
                r.addLevel(level(0, 5, 1));
              }
            }));
  }

  private static Arguments poison(String name, Refusal reason, Consumer<Report.Builder> change) {
    return Arguments.of(name, reason, change);
  }

  private static LevelCount level(int row, int level, long offered) {
    return LevelCount.newBuilder().setRow(row).setLevel(level).setOffered(offered).build();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("poison")
  void aPoisonedReportIsCountedAndChangesNothing(
      String name, Refusal reason, Consumer<Report.Builder> change) {
    Report.Builder report = report(2);
    change.accept(report);
    bad.report(report);
    world.interval();

    assertThat(world.refused(reason)).isEqualTo(1);
    assertThat(world.offered()).isEqualTo(120);
    assertThat(bad.isClosed()).isFalse();

    good.reportAgain(101);
    bad.report(report(2).addBucket(1).addOffered(21));
    world.interval();
    assertThat(world.offered()).isEqualTo(122);
  }

  @Test
  void aRowOfARuleThatDoesNotExistIsLeftOutAndTheOthersAreTaken() {
    bad.report(
        report(2)
            .addDefine(bucket(2, "gone", ""))
            .addDefine(bucket(3, "all", ""))
            .addDefine(bucket(4, "each", "shop"))
            .addBucket(2)
            .addOffered(7)
            .addBucket(4)
            .addOffered(5));
    world.interval();

    assertThat(world.refused(Refusal.UNKNOWN_BUCKET)).isEqualTo(1);
    assertThat(world.controller().offered().values()).containsExactlyInAnyOrder(100.0, 5.0);
  }

  @Test
  void aCallerOfARuleThatIsNotPerCallerIsUnknown() {
    bad.report(report(2).addDefine(bucket(2, "all", "shop")).addBucket(2).addOffered(7));
    world.interval();

    assertThat(world.refused(Refusal.UNKNOWN_BUCKET)).isEqualTo(1);
    assertThat(world.offered()).isEqualTo(100);
  }

  @Test
  void anUnknownBucketCountsOnceARuleIsAboutIt() {
    bad.report(report(2).addDefine(bucket(2, "new", "")).addBucket(2).addOffered(7));
    world
        .controller()
        .rules(
            RuleSet.of(
                2, List.of(new ServiceRules("payments", List.of(Samples.rule("new", 5, false))))));
    bad.report(report(3).addBucket(2).addOffered(8));
    world.interval();

    assertThat(world.controller().offered())
        .containsOnly(entry(new BucketKey("payments", "new", "", ""), 8.0));
  }

  @Test
  void definitionsHoldEvenIfTheCountsOfTheirReportAreRefused() {
    bad.report(
        report(2).addDefine(bucket(2, "each", "shop")).addBucket(2).addOffered(Long.MIN_VALUE));
    bad.report(report(3).addBucket(2).addOffered(4));
    world.interval();

    assertThat(world.controller().offered().values()).containsExactlyInAnyOrder(100.0, 4.0);
  }

  @Test
  void aStreamIsClosedAfterTenBadReportsInARow() {
    for (int i = 0; i < 9; i++) {
      bad.report(report(2 + i).addBucket(7));
    }
    bad.reportAgain(20);
    for (int i = 0; i < 9; i++) {
      bad.report(report(20 + i).addBucket(7));
    }
    assertThat(bad.isClosed()).isFalse();

    bad.report(report(40).addBucket(7));

    assertThat(bad.isClosed()).isTrue();
    assertThat(good.isClosed()).isFalse();
    assertThat(world.refusedClients("bad_reports")).isEqualTo(1);
  }

  @Test
  void aStreamMayDefineOnlySoManyBuckets() {
    world = new AggregatorWorld(1, s -> s.maxBucketsPerClient(3));
    world.controller().join(Samples.payments(1));
    FakeAgent agent = world.connect("a");
    agent.report(
        firstReport(10).addDefine(bucket(2, "each", "a")).addDefine(bucket(3, "each", "b")));
    agent.report(report(2).addDefine(bucket(4, "each", "c")).addBucket(1).addOffered(11));
    world.interval();

    assertThat(world.refused(Refusal.TOO_MANY_BUCKETS)).isEqualTo(1);
    assertThat(world.offered()).isEqualTo(10);
  }

  @Test
  void bucketsForWhichThereIsNoRoomAreLeftOut() {
    world = new AggregatorWorld(1, s -> s.maxBuckets(2));
    world.controller().join(Samples.payments(1));
    FakeAgent agent = world.connect("a");
    agent.report(
        firstReport(10)
            .addDefine(bucket(2, "each", "a"))
            .addDefine(bucket(3, "each", "b"))
            .addBucket(2)
            .addOffered(2)
            .addBucket(3)
            .addOffered(3));
    world.interval();

    assertThat(world.refused(Refusal.NO_ROOM)).isEqualTo(1);
    assertThat(world.controller().offered().values()).containsExactlyInAnyOrder(10.0, 2.0);
  }

  @Test
  void aRateMayBeBoundedMoreClosely() {
    world = new AggregatorWorld(1, s -> s.maxClientRatePerSecond(1000));
    world.controller().join(Samples.payments(1));
    FakeAgent agent = world.connect("a");
    agent.report(firstReport(1000));
    agent.report(report(2).setElapsedNanos(SECOND_NANOS / 2).addBucket(1).addOffered(501));
    world.interval();

    assertThat(world.refused(Refusal.RATE)).isEqualTo(1);
    assertThat(world.offered()).isEqualTo(1000);
  }
}
