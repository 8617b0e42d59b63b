package io.headgate.simulator.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DrawsTest {

  private static final int DRAWS = 200_000;

  private final Random random = new Random(1);

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.003, 0.5, 2, 5.4, 40, 99, 300})
  void aPoissonTableHasItsMeanAndTheSameVariance(double mean) {
    PoissonTable table = new PoissonTable(mean);

    assertMoments(() -> table.draw(random), mean, mean);
  }

  /** Probabilities of 0 to 9 events, by the formula e^-3 3^n / n!. */
  @Test
  void eachCountIsDrawnAsOftenAsItShould() {
    PoissonTable table = new PoissonTable(3);
    int[] drawn = new int[64];
    for (int i = 0; i < DRAWS; i++) {
      drawn[table.draw(random)]++;
    }

    double probability = Math.exp(-3);
    for (int events = 0; events < 10; events++) {
      double sigma = Math.sqrt(probability * (1 - probability) / DRAWS);
      assertThat((double) drawn[events] / DRAWS).isCloseTo(probability, within(4.5 * sigma));
      probability *= 3.0 / (events + 1);
    }
  }

  @ParameterizedTest
  @CsvSource({"10, 0.3", "10, 0", "10, 1", "1000, 0.5", "100000, 0.01", "0, 0.5"})
  void aBinomialDrawHasItsMeanAndVariance(long trials, double chance) {
    assertMoments(
        () -> Binomial.draw(trials, chance, random),
        trials * chance,
        trials * chance * (1 - chance));
  }

  private interface Draw {
    long next();
  }

  private static void assertMoments(Draw draw, double mean, double variance) {
    double sum = 0;
    double squares = 0;
    int draws = DRAWS / 4;
    for (int i = 0; i < draws; i++) {
      double off = draw.next() - mean;
      sum += off;
      squares += off * off;
    }
    double found = squares / draws;
    assertThat(sum / draws).isCloseTo(0, within(4.5 * Math.sqrt(variance / draws) + 1e-12));
    // The variance of a squared deviation is at most 3 variances squared and the variance itself.
    assertThat(found)
        .isCloseTo(
            variance,
            within(4.5 * Math.sqrt((3 * variance * variance + variance) / draws) + 1e-12));
  }
}
