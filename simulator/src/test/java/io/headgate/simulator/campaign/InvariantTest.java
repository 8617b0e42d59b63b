package io.headgate.simulator.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.simulator.run.Sight;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class InvariantTest {

  @Nested
  class NotAboveLimitTest {

    private final Invariant invariant = new NotAboveLimit();

    @Test
    void chanceExplainsFiveHundredthsAndSixStandardDeviationsInASecond() {
      // 100 + 5 + 6 * 10
      assertThat(invariant.violations(Moments.of(Moments.bucket(true, 200, 200, 35)))).isEmpty();
      assertThat(invariant.violations(Moments.of(Moments.bucket(true, 200, 200, 34)))).hasSize(1);
    }

    @Test
    void overFiveSecondsChanceExplainsLess() {
      // 100 + 5 + 6 * 10 / sqrt(5)
      assertThat(invariant.violations(Moments.of(lately(131)))).isEmpty();
      assertThat(invariant.violations(Moments.of(lately(132)))).hasSize(1);
    }

    private Moment.BucketSecond lately(double passedLately) {
      return new Moment.BucketSecond(
          "all in global", true, false, true, 100, 200, 200, 100, 100, passedLately);
    }

    @Test
    void beforeItIsSettledAnythingMayPass() {
      assertThat(invariant.violations(Moments.of(Moments.bucket(false, 300, 300, 0)))).isEmpty();
    }

    @Test
    void aRuleThatOnlyWatchesLimitsNothing() {
      Moment.BucketSecond shadow =
          new Moment.BucketSecond("all in global", false, true, true, 100, 200, 200, 0, 200, 200);

      assertThat(invariant.violations(Moments.of(shadow))).isEmpty();
    }
  }

  @Nested
  class NoDropBelowLimitTest {

    private final Invariant invariant = new NoDropBelowLimit();

    @Test
    void oneDropIsTooManyWhereDemandIsClearlyUnderTheLimit() {
      // 100 - 5 * 10
      assertThat(invariant.violations(Moments.of(Moments.bucket(true, 50, 50, 1)))).hasSize(1);
      assertThat(invariant.violations(Moments.of(Moments.bucket(true, 51, 50, 1)))).isEmpty();
    }

    @Test
    void whatIsLeftMustNotFallUnderTheLimitByMoreThanChance() {
      // 100 - 5 - 6 * 10
      assertThat(invariant.violations(Moments.of(Moments.bucket(true, 200, 200, 165)))).isEmpty();
      assertThat(invariant.violations(Moments.of(Moments.bucket(true, 200, 200, 166)))).hasSize(1);
    }

    @Test
    void aRuleThatOnlyWatchesDropsNothingSettledOrNot() {
      Moment.BucketSecond shadow =
          new Moment.BucketSecond("all in global", false, true, false, 100, 200, 200, 1, 199, 199);

      assertThat(invariant.violations(Moments.of(shadow))).hasSize(1);
    }

    @Test
    void aHostMayNotKnowYetThatARuleOnlyWatchesFromNowOn() {
      Moment.BucketSecond switched =
          new Moment.BucketSecond("all in global", false, false, false, 100, 200, 200, 1, 199, 199);

      assertThat(invariant.violations(Moments.of(switched))).isEmpty();
    }

    @Test
    void nothingIsJudgedWhereTheLimitIsNeitherClearNorReached() {
      assertThat(invariant.isJudged(Moments.of(Moments.bucket(true, 99, 99, 0)))).isFalse();
      assertThat(invariant.isJudged(Moments.of(Moments.bucket(true, 40, 40, 0)))).isTrue();
      assertThat(invariant.isJudged(Moments.of(Moments.bucket(true, 200, 200, 100)))).isTrue();
    }
  }

  @Nested
  class NoRatioFromUnlearnedTest {

    private final Invariant invariant = new NoRatioFromUnlearned();

    @Test
    void aControllerThatHasHeardHalfOfTheAggregatorsSaysNothing() {
      assertThat(invariant.violations(ruling(2, List.of(1.0, 0.5)))).hasSize(1);
    }

    @Test
    void oneThatHasHeardAFullIntervalFromAllOfThemDoes() {
      assertThat(invariant.violations(ruling(2, List.of(1.0, 0.9)))).isEmpty();
    }

    @Test
    void soDoesOneThatHasWaitedLongEnough() {
      assertThat(invariant.violations(ruling(5, List.of()))).isEmpty();
      assertThat(invariant.violations(ruling(4.9, List.of()))).hasSize(1);
    }

    private Moment ruling(double connectedSeconds, List<Double> coveredSeconds) {
      return Moments.of(
          new Sight.Ruling("controller/r1/1", 29.5, connectedSeconds, 2, coveredSeconds));
    }
  }

  @Nested
  class FailsOpenTest {

    private final Invariant invariant = new FailsOpen();

    @Test
    void aHostMayDropUntilItsDirectivesAreReleased() {
      assertThat(invariant.violations(Moments.of(Moments.cutOff(16.4, 0.1, 5)))).isEmpty();
      assertThat(invariant.violations(Moments.of(Moments.cutOff(16.5, 0.1, 0)))).hasSize(1);
    }

    @Test
    void theSecondInWhichTheyAreMayHaveDropsYet() {
      assertThat(invariant.violations(Moments.of(Moments.cutOff(17.4, 0, 5)))).isEmpty();
      assertThat(invariant.violations(Moments.of(Moments.cutOff(17.5, 0, 5)))).hasSize(1);
    }
  }

  @Nested
  class CountsConservedTest {

    private final Invariant invariant = new CountsConserved();

    @Test
    void countsThatAgreeAreFine() {
      assertThat(violations(new Moment.Ledger(30, 100, 70, 30, 95, 90))).isEmpty();
    }

    @Test
    void aBucketThatLosesARequestIsFound() {
      assertThat(violations(new Moment.Ledger(30, 100, 69, 30, 95, 90))).hasSize(1);
    }

    @Test
    void aDropThatNoBucketKnowsOfIsFound() {
      assertThat(violations(new Moment.Ledger(31, 100, 70, 30, 95, 90))).hasSize(1);
    }

    @Test
    void whatIsReportedTwiceOrNotAtAllIsFound() {
      assertThat(violations(new Moment.Ledger(30, 100, 70, 30, 101, 90))).hasSize(1);
      assertThat(violations(new Moment.Ledger(30, 100, 70, 30, 89, 90))).hasSize(1);
    }

    private List<String> violations(Moment.Ledger ledger) {
      return invariant.violations(Moments.of(Moments.host(ledger)));
    }
  }

  @Nested
  class RoomForTheLostTest {

    private final Invariant invariant = new RoomForTheLost();

    @Test
    void theRestMayTakeWhatIsLeft() {
      assertThat(violations(95)).isEmpty();
    }

    @Test
    void theRestThatTakesMoreIsFound() {
      assertThat(violations(96))
          .containsExactly("all in global: 96 passed where a zone is lost (expected: at most 95)");
    }

    private List<String> violations(long passed) {
      return invariant.violations(
          Moments.of(new Moment.LossSecond("all in global", "where a zone is lost", passed, 95)));
    }
  }
}
