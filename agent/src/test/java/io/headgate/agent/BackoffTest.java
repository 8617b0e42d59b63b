package io.headgate.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class BackoffTest {

  /** Answers the greatest number that it may. */
  private static final RandomGenerator GREATEST =
      new RandomGenerator() {
        @Override
        public long nextLong() {
          return -1;
        }

        @Override
        public long nextLong(long bound) {
          return bound - 1;
        }
      };

  @Test
  void theBoundDoublesUpToTheMost() {
    Backoff backoff = new Backoff(100, 500, GREATEST);

    assertThat(backoff.nextNanos()).isEqualTo(99);
    assertThat(backoff.nextNanos()).isEqualTo(199);
    assertThat(backoff.nextNanos()).isEqualTo(399);
    assertThat(backoff.nextNanos()).isEqualTo(499);
    assertThat(backoff.nextNanos()).isEqualTo(499);
  }

  @Test
  void itBeginsAnewAfterSuccess() {
    Backoff backoff = new Backoff(100, 500, GREATEST);
    backoff.nextNanos();
    backoff.nextNanos();

    backoff.reset();

    assertThat(backoff.nextNanos()).isEqualTo(99);
  }

  @Test
  void theWaitIsSpreadOverTheWholeOfTheBound() {
    Backoff backoff = new Backoff(1_000, 1_000, new SplittableRandom(7));

    double mean = 0;
    for (int i = 0; i < 10_000; i++) {
      mean += backoff.nextNanos() / 10_000.0;
    }

    assertThat(mean).isBetween(480.0, 520.0);
  }
}
