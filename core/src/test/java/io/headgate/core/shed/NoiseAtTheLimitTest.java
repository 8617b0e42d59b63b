package io.headgate.core.shed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the law drops of noisy demand that is at its limit, where every drop is a mistake. */
class NoiseAtTheLimitTest {

  private static final int SECONDS = 5_000;

  @ParameterizedTest(name = "limit {0}, demand {1} of it: at most {2} is dropped")
  @CsvSource({
    "20, 1.0, 0.022",
    "20, 0.9, 0.003",
    "100, 1.0, 0.012",
    "1000, 1.0, 0.003",
    "25000, 1.0, 0.001",
    "1000, 0.8, 0"
  })
  void hardlyAnything(double limit, double load, double most) {
    assertThat(dropped(LawSettings.DEFAULT, limit, load * limit)).isLessThanOrEqualTo(most);
  }

  /** Chance must not make a bad minute of one that is good on average. */
  @ParameterizedTest(name = "limit {0}: of 200 times two minutes at most {2} lose more than {1}")
  @CsvSource({"1000, 0.003, 6", "25000, 0.001, 3"})
  void hardlyEverMuchInAnyTwoMinutes(double limit, double most, int times) {
    int found = 0;
    for (int seed = 0; seed < 200; seed++) {
      found += dropped(LawSettings.DEFAULT, limit, limit, seed, 130) > most ? 1 : 0;
    }
    assertThat(found).isLessThanOrEqualTo(times);
  }

  @ParameterizedTest(name = "limit {0}: the plain law drops {1} to {2}")
  @CsvSource({"100, 0.03, 0.045", "1000, 0.009, 0.015", "25000, 0.002, 0.0032"})
  void thePlainLawDropsWhatNoiseIsAboveTheLimit(double limit, double least, double most) {
    assertThat(dropped(LawSettings.PLAIN, limit, limit)).isBetween(least, most);
  }

  @ParameterizedTest(name = "limit {0}, demand 1.5 of it")
  @CsvSource({"100, 0.03", "1000, 0.01", "25000, 0.003"})
  void aboveTheLimitTheRatioIsThatOfTheFormula(double limit, double tolerance) {
    assertThat(dropped(LawSettings.DEFAULT, limit, 1.5 * limit))
        .isBetween(1 / 3.0 - tolerance, 1 / 3.0 + tolerance);
  }

  /**
   * The share that is dropped when each second's count is the sample that judges the next second.
   */
  private static double dropped(LawSettings settings, double limit, double demand) {
    return dropped(settings, limit, demand, 7, SECONDS);
  }

  private static double dropped(
      LawSettings settings, double limit, double demand, long seed, int seconds) {
    SplittableRandom random = new SplittableRandom(seed);
    DropLaw law = new DropLaw(settings);
    double[] offered = new double[Level.COUNT];
    double ratio = 0;
    double all = 0;
    double dropped = 0;
    for (int second = 1; second <= seconds; second++) {
      long count = Math.max(0, Math.round(demand + Math.sqrt(demand) * random.nextGaussian()));
      all += count;
      dropped += ratio * count;
      offered[Level.DEFAULT_CLASS] = count;
      Directive directive =
          law.update(second * 1_000_000_000L, Demand.overOneSecond(offered), limit);
      ratio = 1 - directive.acceptRatio(Level.DEFAULT_CLASS);
    }
    return dropped / all;
  }
}
