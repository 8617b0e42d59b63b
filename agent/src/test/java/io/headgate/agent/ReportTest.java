package io.headgate.agent;

import static io.headgate.agent.Samples.rule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.core.rule.RuleOptions;
import io.headgate.core.shed.Directive;
import io.headgate.fixtures.FakeAggregators;
import io.headgate.protocol.v1.BucketDefinition;
import io.headgate.protocol.v1.Directives;
import io.headgate.protocol.v1.LevelCount;
import io.headgate.protocol.v1.Report;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ReportTest {

  private static final String ADDRESS = "10.0.0.1:7070";

  private final AgentFixture fixture = new AgentFixture();
  private final HeadgateAgent agent = fixture.start(ADDRESS);
  private final Gate gate = agent.gate("checkout", "Charge");

  private FakeAggregators.Stream stream() {
    return fixture.aggregators.last();
  }

  private Report next() {
    int before = stream().reports().size();
    fixture.afterHearing(1);
    assertThat(stream().reports()).hasSizeGreaterThan(before);
    return stream().lastReport();
  }

  private static void judge(Gate gate, int times) {
    for (int i = 0; i < times; i++) {
      gate.judge();
    }
  }

  @Test
  void bucketsAreDefinedOnceAndTheirCountsAreDeltas() {
    stream().send(AgentFixture.rules(3, rule("all").build()));
    judge(gate, 5);

    Report first = next();
    judge(gate, 7);
    Report second = next();

    assertThat(first.getConfigVersion()).isEqualTo(3);
    assertThat(first.getDefineList())
        .containsExactly(
            BucketDefinition.newBuilder().setId(1).setService("payments").setRule("all").build());
    assertThat(first.getBucketList()).containsExactly(1);
    assertThat(first.getOfferedList()).containsExactly(5L);
    assertThat(second.getDefineList()).isEmpty();
    assertThat(second.getBucketList()).containsExactly(1);
    assertThat(second.getOfferedList()).containsExactly(7L);
  }

  @Test
  void whatARuleCountsAtAnotherClassIsNamed() {
    stream()
        .send(
            AgentFixture.rules(
                3, rule("all").options(RuleOptions.DEFAULT.withCriticality(5)).build()));
    judge(gate, 5);
    gate.judge(3, false);

    Report report = next();

    assertThat(report.getOfferedList()).containsExactly(6L);
    assertThat(report.getLevelList())
        .containsExactly(LevelCount.newBuilder().setRow(0).setLevel(5).setOffered(5).build());
  }

  @Test
  void columnsOfZerosAreLeftOut() {
    stream().send(AgentFixture.rules(3, rule("all").build()));
    judge(gate, 5);

    Report report = next();

    assertThat(report.getDroppedCount()).isZero();
    assertThat(report.getWouldDropCount()).isZero();
    assertThat(report.getLevelCount()).isZero();
  }

  @Test
  void offeredCoversDropsAndWhatWouldBeDropped() {
    stream()
        .send(
            AgentFixture.rules(
                3, rule("a-deny").procedure("Charge").build(), rule("b-trial").shadow().build()));
    Gate refund = agent.gate("checkout", "Refund");
    next();
    stream()
        .send(
            Directives.newBuilder()
                .setConfigVersion(3)
                .setTtlMillis(5_000)
                .addAllBucket(List.of(1, 2))
                .addAllLevel(List.of(3, 3))
                .addAllAccept(List.of(0, 0)));
    judge(gate, 5);
    judge(refund, 3);

    Report report = next();

    assertThat(report.getBucketList()).containsExactlyInAnyOrder(1, 2);
    int deny = report.getOffered(0) == 5 ? 0 : 1;
    assertThat(report.getOffered(deny)).isEqualTo(5);
    assertThat(report.getDropped(deny)).isEqualTo(5);
    assertThat(report.getWouldDrop(deny)).isZero();
    assertThat(report.getOffered(1 - deny)).isEqualTo(3);
    assertThat(report.getDropped(1 - deny)).isZero();
    assertThat(report.getWouldDrop(1 - deny)).isEqualTo(3);
  }

  @Test
  void whatIsNotAtTheDefaultLevelIsCountedByLevel() {
    stream().send(AgentFixture.rules(3, rule("all").build()));
    gate.judge();
    gate.judge(0, false);
    gate.judge(0, false);
    gate.judge(-1, true);

    Report report = next();

    assertThat(report.getOfferedList()).containsExactly(4L);
    assertThat(report.getLevelList())
        .containsExactly(
            LevelCount.newBuilder().setRow(0).setLevel(0).setOffered(2).build(),
            LevelCount.newBuilder().setRow(0).setLevel(9).setOffered(1).build());
  }

  @Test
  void reportsComeEachIntervalEvenIfNothingWasCounted() {
    fixture.afterHearing(10);

    List<Report> reports = stream().reports();
    assertThat(reports).hasSizeBetween(10, 11);
    for (int i = 0; i < reports.size(); i++) {
      assertThat(reports.get(i).getSequence()).isEqualTo(i + 1);
      assertThat(reports.get(i).getBucketList()).isEmpty();
    }
    assertThat(reports.subList(2, 10))
        .allMatch(report -> report.getElapsedNanos() == Duration.ofSeconds(1).toNanos());
  }

  @Test
  void processesThatStartTogetherDoNotReportTogether() {
    Set<Long> times = new HashSet<>();
    for (int seed = 0; seed < 20; seed++) {
      AgentFixture other = new AgentFixture();
      other.builder(ADDRESS).random(new SplittableRandom(seed)).build();
      other.afterHearing(2);
      int before = other.aggregators.last().reports().size();
      long millis = 0;
      while (other.aggregators.last().reports().size() == before) {
        other.after(0.001);
        millis++;
      }
      times.add(millis);
    }

    assertThat(times).hasSizeGreaterThan(15).allMatch(millis -> millis <= 1_000);
  }

  @Test
  void noReportCoversLessThanAQuarterOfTheInterval() {
    fixture.afterHearing(3);
    stream().lose("test");
    fixture.afterHearing(5);

    assertThat(fixture.aggregators.streams())
        .hasSize(2)
        .flatExtracting(FakeAggregators.Stream::reports)
        .allMatch(report -> report.getElapsedNanos() >= Duration.ofMillis(250).toNanos());
  }

  @Test
  void whatCannotBeSentStaysInTheCountersAndGoesOutAsSoonAsItCan() {
    stream().send(AgentFixture.rules(3, rule("all").build()));
    next();
    int before = stream().reports().size();
    stream().ready(false);
    judge(gate, 5);
    fixture.afterHearing(2);
    judge(gate, 6);
    assertThat(stream().reports()).hasSize(before);

    stream().ready(true);

    assertThat(stream().lastReport().getOfferedList()).containsExactly(11L);
    assertThat(stream().lastReport().getElapsedNanos())
        .isBetween(Duration.ofSeconds(2).toNanos(), Duration.ofSeconds(3).toNanos());
  }

  @Test
  void aNewStreamBeginsWithDefinitionsAnewAndLosesNoCount() {
    stream().send(AgentFixture.rules(3, rule("all").build()));
    judge(gate, 5);
    next();
    long sequence = stream().lastReport().getSequence();
    stream().lose("test");
    judge(gate, 7);

    fixture.after(0.4);

    Report first = stream().reports().get(0);
    assertThat(first.getSequence()).isEqualTo(sequence + 1);
    assertThat(first.getDefineList()).extracting(BucketDefinition::getRule).containsExactly("all");
    assertThat(first.getOfferedList()).containsExactly(7L);
  }

  @Test
  void definitionsAreSpreadSoThatNoReportIsTooLarge() {
    stream().send(AgentFixture.rules(3, rule("each").perCaller().build()));
    for (int i = 0; i < 5_000; i++) {
      agent.gate("caller-" + i, "Charge").judge();
    }

    fixture.afterHearing(4);

    Set<String> defined = new HashSet<>();
    long offered = 0;
    for (Report report : stream().reports()) {
      assertThat(report.getDefineCount()).isLessThanOrEqualTo(2_000);
      assertThat(report.getBucketCount()).isEqualTo(report.getOfferedCount());
      report.getDefineList().forEach(definition -> defined.add(definition.getCaller()));
      offered += report.getOfferedList().stream().mapToLong(Long::longValue).sum();
    }
    assertThat(defined).hasSize(5_001);
    assertThat(offered).isEqualTo(5_000);
  }

  @Test
  void itReportsNoMoreOftenThanItIsAskedTo() {
    fixture.afterHearing(2);
    stream().slowDown(4_000);
    fixture.afterHearing(2);
    int before = stream().reports().size();
    fixture.afterHearing(20);
    assertThat(stream().reports()).hasSize(before + 5);

    stream().slowDown(0);
    fixture.afterHearing(4);
    before = stream().reports().size();
    fixture.afterHearing(20);
    assertThat(stream().reports()).hasSize(before + 20);
  }

  @Test
  void itIsBackWithinAnIntervalWhenItNeedNotSlowDownAnyMore() {
    fixture.afterHearing(2);
    stream().slowDown(5_000);
    fixture.afterHearing(7);
    int before = stream().reports().size();

    stream().slowDown(0);
    fixture.after(1.3);
    assertThat(stream().reports()).hasSizeGreaterThan(before);
  }

  @Test
  void bucketCountsSayWhatEachBucketHasCounted() {
    stream().send(AgentFixture.rules(3, rule("all").build()));
    next();
    stream()
        .send(
            Directives.newBuilder()
                .setConfigVersion(3)
                .setTtlMillis(5_000)
                .addBucket(1)
                .addLevel(3)
                .addAccept(Directive.accept(0.4)));
    judge(gate, 2);

    assertThat(agent.bucketCounts()).hasSize(1);
    BucketCounts counts = agent.bucketCounts().get(0);
    assertThat(counts.offered()).isEqualTo(2);
    assertThat(counts.dropped()).isEqualTo(2);
    assertThat(counts.dropRatio()).isCloseTo(0.6, within(1e-9));
  }
}
