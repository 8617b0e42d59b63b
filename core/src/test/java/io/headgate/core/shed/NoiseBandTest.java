package io.headgate.core.shed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class NoiseBandTest {

  @Test
  void steadyTrafficHardlyEverLeavesTheBand() {
    SplittableRandom random = new SplittableRandom(1);
    NoiseBand band = new NoiseBand();
    band.restart(100, 1);
    int left = 0;
    for (int second = 0; second < 10_000; second++) {
      long count = poisson(100, random);
      left += band.isLeftBy(count, 1, 3.5) ? 1 : 0;
      band.learn(count, 1);
    }

    // A normal variable leaves 3.5 sigma 4.7 times in 10,000; the slack takes from the upper half.
    assertThat(left).isBetween(0, 8);
    assertThat(band.ratePerSecond()).isBetween(85.0, 115.0);
  }

  @Test
  void aStepIsSeenWithinAFortiethOfASecond() {
    NoiseBand band = bandOf(37);

    assertThat(band.isLeftBy(15, 0.025, 4.5)).isTrue(); // 600 a second
    assertThat(band.isLeftBy(2, 0.025, 4.5)).isFalse(); // 80 a second: noise
  }

  @Test
  void aFallIsSeenOnceEnoughRequestsAreMissing() {
    NoiseBand band = bandOf(125);

    assertThat(band.isLeftBy(1, 0.05, 3.5)).isFalse(); // 6 were to be expected
    assertThat(band.isLeftBy(4, 0.2, 3.5)).isTrue(); // 25 were
  }

  @Test
  void theFirstFewRequestsOfABucketAreNoNewsAndABurstIs() {
    NoiseBand band = new NoiseBand();

    assertThat(band.isLeftBy(3, 0.025, 3.5)).isFalse();
    assertThat(band.isLeftBy(4, 0.025, 3.5)).isTrue();
  }

  @Test
  void trafficThatComesInBurstsWidensTheBand() {
    SplittableRandom random = new SplittableRandom(2);
    NoiseBand band = new NoiseBand();
    band.restart(1000, 1);
    for (int second = 0; second < 200; second++) {
      band.learn(13 * poisson(1000 / 13.0, random), 1);
    }

    // Thirteen times the variance of a Poisson process: one sigma is 114 requests, not 32.
    assertThat(band.isLeftBy(1250, 1, 3.5)).isFalse();
    assertThat(band.isLeftBy(1800, 1, 3.5)).isTrue();
  }

  private static NoiseBand bandOf(int perSecond) {
    NoiseBand band = new NoiseBand();
    band.restart(perSecond, 1);
    for (int second = 0; second < 10; second++) {
      band.learn(perSecond, 1);
    }
    return band;
  }

  private static long poisson(double mean, SplittableRandom random) {
    double limit = Math.exp(-mean);
    long events = -1;
    for (double product = 1; product > limit; product *= random.nextDouble()) {
      events++;
    }
    return events;
  }
}
