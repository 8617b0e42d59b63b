package io.headgate.simulator.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.headgate.simulator.result.Result;
import io.headgate.simulator.run.Simulation;
import io.headgate.simulator.scenario.Catalogue;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Execution(ExecutionMode.CONCURRENT)
class ComparisonTest {

  private static Comparison.Row row(String situation, Subject subject) {
    return Comparison.row(Catalogue.get(situation), subject, 1, done -> {});
  }

  @Test
  void headgateTreatsUnequalHostsAlike() {
    assertThat(row("unequal-hosts", Subject.HEADGATE).jainIndex()).isGreaterThanOrEqualTo(0.999);
  }

  /** A quiet proxy's tokens are lost before its next request, though there is room for all. */
  @Test
  void tokenBucketsFailWhereCallersAreMoreThanTheLimit() {
    Comparison.Row buckets = row("many-callers", Subject.TOKEN_BUCKETS);
    Comparison.Row headgate = row("many-callers", Subject.HEADGATE);

    assertThat(buckets.falseDropRatio()).isGreaterThan(0.05);
    assertThat(buckets.admittedShareSpread()).isGreaterThan(0.15);
    assertThat(headgate.falseDropRatio()).isZero();
    assertThat(headgate.jainIndex()).isEqualTo(1);
  }

  /** A bursting proxy has the tokens of its share of before, though there is room for its burst. */
  @Test
  void tokenBucketsFailWhereOneHostBurstsUnderTheLimit() {
    Comparison.Row buckets = row("host-bursts", Subject.TOKEN_BUCKETS);
    Comparison.Row headgate = row("host-bursts", Subject.HEADGATE);

    assertThat(buckets.falseDropRatio()).isGreaterThan(0.03);
    assertThat(buckets.admittedShareSpread()).isGreaterThan(0.3);
    assertThat(headgate.falseDropRatio()).isZero();
    assertThat(headgate.jainIndex()).isEqualTo(1);
  }

  @Test
  void aCentralCounterHoldsTheLimitAndMakesEachRequestWaitForARoundTrip() {
    Comparison.Row row = row("unequal-hosts", Subject.CENTRAL_COUNTER);

    assertThat(row.reactionSeconds()).isNotNull().isLessThanOrEqualTo(0.1);
    assertThat(row.messagesPerHostSecond()).isBetween(149.0, 151.0); // One for each request.
    assertThat(row.addedSecondsMedian()).isBetween(0.049, 0.051); // 20 to 30 ms, twice.
    assertThat(row.addedSecondsP99()).isBetween(0.057, 0.06);
  }

  @Test
  void syncedCountersNeverComeDownToTheLimit() {
    Comparison.Row row = row("unequal-hosts", Subject.SYNCED_COUNTERS);

    assertThat(row.reactionSeconds()).isNull();
    assertThat(row.admittedToLimit()).isGreaterThan(1.2);
    assertThat(row.messagesPerHostSecond()).isBetween(3.95, 4.05);
  }

  @ParameterizedTest
  @EnumSource(Subject.class)
  void everySubjectMeetsTheSameRequestsAndTheSameSeedGivesTheSameRow(Subject subject) {
    double[] offered = offered(subject);

    assertThat(offered).isEqualTo(offered(Subject.HEADGATE));
    assertThat(row("short-burst", subject)).isEqualTo(row("short-burst", subject));
  }

  private static double[] offered(Subject subject) {
    Result result = Simulation.run(Catalogue.get("short-burst"), 1, subject.factory(), done -> {});
    return result.series().offeredPerSecond();
  }

  @Test
  void programsReadNullWhereALimiterNeverCameDownToTheLimit() throws JsonProcessingException {
    Comparison.Row row = new Comparison.Row("step", "plain loop", null, 2, 1, 1, 0, 0, 4, 0, 0);

    assertThat(JsonMapper.builder().build().writeValueAsString(new Comparison(7, List.of(row))))
        .startsWith("{\"seed\":7,\"rows\":[{\"situation\":\"step\",\"subject\":\"plain loop\",")
        .contains("\"reactionSeconds\":null,\"excessLimitSeconds\":2.0,");
  }

  @Tag("process")
  @Test
  void thereIsARowForEachSituationAndSubject() {
    Comparison comparison = Comparison.run(1, done -> {});

    assertThat(comparison.rows())
        .hasSize(4 * Subject.values().length)
        .allSatisfy(row -> assertThat(row.jainIndex()).isBetween(0.9, 1.0));
  }
}
