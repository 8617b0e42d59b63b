package io.headgate.core.shed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A step of demand that is seen through clients that each report once a second. */
class ArrivingStepTest {

  private static final int RUNS = 500;
  private static final double STEP_SECOND = 20;
  private static final double FROM_SECOND = STEP_SECOND + 5;
  private static final double TO_SECOND = FROM_SECOND + 10;

  /** What passes too much is the limit times how much the estimate is too low, on average. */
  @ParameterizedTest(
      name = "{0} a second at {1} clients: of 500 times {3} are off by more than {2}")
  @CsvSource({"2400, 2, 0.03, 0", "2400, 2, 0.02, 5", "24000, 8, 0.007, 0"})
  void isKnownWithinPercentsAfterFiveSeconds(
      double perSecond, int clients, double most, int times) {
    int off = 0;
    for (int seed = 0; seed < RUNS; seed++) {
      off += Math.abs(excess(perSecond, clients, seed)) > most ? 1 : 0;
    }
    assertThat(off).isLessThanOrEqualTo(times);
  }

  /** Seen through short windows, a step may look a tenth smaller than it is for two seconds. */
  @Test
  void noisyFirstSamplesDoNotOutweighThePreciseOnesThatFollow() {
    DemandEstimator estimator = new DemandEstimator();
    for (int second = 0; second < 20; second++) {
      estimator.update(500, 500, 1, LawSettings.DEFAULT);
    }
    estimator.update(1_000, 1_000, 1, LawSettings.DEFAULT);
    for (int tenth = 0; tenth < 20; tenth++) {
      estimator.update(1_300, 13_000, 0.1, LawSettings.DEFAULT);
    }
    assertThat(estimator.rate()).isCloseTo(1_300, withPercentage(1));

    for (int second = 0; second < 2; second++) {
      estimator.update(1_430, 1_430, 1, LawSettings.DEFAULT);
    }
    assertThat(estimator.rate()).isCloseTo(1_430, withPercentage(1.5));
  }

  /** Demand over the estimate of it, less one, on average over ten seconds. */
  private static double excess(double perSecond, int clients, int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    DemandEstimator estimator = new DemandEstimator();
    double[] latched = new double[clients];
    double[] phase = random.doubles(clients).sorted().toArray();
    double stepSecond = STEP_SECOND + random.nextDouble();
    double sum = 0;
    int samples = 0;
    double last = 0;
    for (int second = 0; second < TO_SECOND + 1; second++) {
      for (int client = 0; client < clients; client++) {
        double now = second + phase[client];
        double before = Math.max(0, Math.min(1, stepSecond - (now - 1)));
        double mean = perSecond / clients * (before / 3 + 1 - before);
        latched[client] = Math.max(0, mean + Math.sqrt(mean) * random.nextGaussian());
        double offered = 0;
        for (double each : latched) {
          offered += each;
        }
        estimator.update(offered, offered, now - last, LawSettings.DEFAULT);
        last = now;
        if (now > FROM_SECOND && now < TO_SECOND) {
          sum += perSecond / estimator.rate() - 1;
          samples++;
        }
      }
    }
    return sum / samples;
  }
}
