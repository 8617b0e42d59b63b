package io.headgate.core.shed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class DriftTest {

  /** Each a sample over a second, with the noise of a Poisson process. */
  private final SplittableRandom random = new SplittableRandom(7);

  private final DemandEstimator estimator = new DemandEstimator();

  @Test
  void followsASteadyRiseClosely() {
    sampleSteady(1_000, 100);
    // A rise of two percent a second for 40 s; one standard deviation of a sample is 42 at its end.
    for (int second = 1; second <= 40; second++) {
      double rate = 1_000 + 20 * second;
      sample(rate);
      if (second > 10) {
        assertThat(estimator.rate()).isCloseTo(rate, Percentage.withPercentage(10));
      }
    }
  }

  @Test
  void doesNotTakeARiseForBurstiness() {
    sampleSteady(1_000, 100);
    double before = estimator.sigma();
    for (int second = 1; second <= 40; second++) {
      sample(1_000 + 20 * second);
    }
    sampleSteady(1_800, 60);
    assertThat(estimator.sigma()).isLessThan(2 * before);
    assertThat(estimator.rate()).isCloseTo(1_800, Percentage.withPercentage(2));
  }

  @Test
  void staysCalmWhereThereIsNoDrift() {
    sampleSteady(1_000, 100);
    double squares = 0;
    for (int second = 0; second < 2_000; second++) {
      sample(1_000);
      double error = (estimator.rate() - 1_000) / 1_000;
      squares += error * error;
    }
    // A sample alone is off by 3.2 percent.
    assertThat(Math.sqrt(squares / 2_000)).isLessThan(0.01);
  }

  /** A machine that stands still for a moment is no change of demand. */
  @Test
  void aHiccupOfSomePercentMovesTheEstimateLittle() {
    sampleSteady(20_000, 60);
    sample(18_800);
    sample(21_200);

    assertThat(estimator.rate()).isCloseTo(20_000, Percentage.withPercentage(1));
  }

  @Test
  void aSmallStepIsTakenAtItsSecondSample() {
    sampleSteady(20_000, 60);
    sample(21_500);
    sample(21_500);

    assertThat(estimator.rate()).isCloseTo(21_500, Percentage.withPercentage(1.5));
  }

  private void sampleSteady(double rate, int seconds) {
    for (int second = 0; second < seconds; second++) {
      sample(rate);
    }
  }

  private void sample(double rate) {
    double count = Math.rint(rate + Math.sqrt(rate) * random.nextGaussian());
    estimator.update(count, count, 1, LawSettings.DEFAULT);
  }
}
