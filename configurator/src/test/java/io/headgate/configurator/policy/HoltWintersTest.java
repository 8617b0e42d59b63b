package io.headgate.configurator.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Against R's own: every expected value is what R 4.2.2 printed for the command next to it, with
 * {@code format(predict(f, n), digits = 12)} and {@code sprintf("%.9g", f$SSE)}.
 */
class HoltWintersTest {

  /** {@code as.vector(AirPassengers)}: airline passengers a month, 1949 to 1960, in thousands. */
  private static final double[] AIR_PASSENGERS = {
    112, 118, 132, 129, 121, 135, 148, 148, 136, 119, 104, 118, 115, 126, 141, 135, 125, 149, 170,
    170, 158, 133, 114, 140, 145, 150, 178, 163, 172, 178, 199, 199, 184, 162, 146, 166, 171, 180,
    193, 181, 183, 218, 230, 242, 209, 191, 172, 194, 196, 196, 236, 235, 229, 243, 264, 272, 237,
    211, 180, 201, 204, 188, 235, 227, 234, 264, 302, 293, 259, 229, 203, 229, 242, 233, 267, 269,
    270, 315, 364, 347, 312, 274, 237, 278, 284, 277, 317, 313, 318, 374, 413, 405, 355, 306, 271,
    306, 315, 301, 356, 348, 355, 422, 465, 467, 404, 347, 305, 336, 340, 318, 362, 348, 363, 435,
    491, 505, 404, 359, 310, 337, 360, 342, 406, 396, 420, 472, 548, 559, 463, 407, 362, 405, 417,
    391, 419, 461, 472, 535, 622, 606, 508, 461, 390, 432
  };

  /** Four weeks of daily peaks. */
  private static final double[] WEEKS = {
    812, 845, 860, 851, 902, 640, 588, 830, 871, 866, 880, 934, 655, 610, 850, 880, 901, 899, 951,
    676, 622, 874, 905, 917, 921, 980, 690, 641
  };

  /** {@code f <- HoltWinters(AirPassengers, alpha = 0.3, beta = 0.1, gamma = 0.2)}. */
  @Test
  void withGivenWeightsItForecastsAsRDoes() {
    HoltWinters model = HoltWinters.smooth(AIR_PASSENGERS, 12, 0.3, 0.1, 0.2);

    assertThat(model.squaredErrors()).isCloseTo(98448.993, within(0.001));
    assertThat(forecasts(model, 13))
        .containsExactly(
            new double[] {
              474.457772260, 469.801810919, 513.007326049, 515.453742109, 521.347402389,
              564.137815183, 601.806610175, 588.059358232, 521.474488121, 484.515573604,
              453.134844822, 493.516599260, 512.647894654
            },
            within(1e-8));
  }

  /**
   * {@code f <- HoltWinters(ts(weeks, frequency = 7), alpha = 0.4, beta = 0.05, gamma = 0.3)}: a
   * period without a middle between two days.
   */
  @Test
  void aSeasonOfOddLengthIsTheSameAsInR() {
    HoltWinters model = HoltWinters.smooth(WEEKS, 7, 0.4, 0.05, 0.3);

    assertThat(model.squaredErrors()).isCloseTo(1711.54132948, within(1e-7));
    assertThat(forecasts(model, 7))
        .containsExactly(
            new double[] {
              891.844358204,
              928.021430374,
              931.048854279,
              936.653267454,
              987.209948445,
              714.203508916,
              666.505639553
            },
            within(1e-8));
  }

  /** {@code HoltWinters(AirPassengers)}: 0.24795949, 0.0345337296, 1, SSE 21860.1846219. */
  @Test
  void theWeightsItFindsAreNoWorseThanThoseOfR() {
    HoltWinters model = HoltWinters.fit(AIR_PASSENGERS, 12);

    assertThat(model.squaredErrors()).isLessThan(21860.1846219 * 1.0001);
    assertThat(model.weights())
        .containsExactly(new double[] {0.24795949, 0.0345337296, 1}, within(0.01));
    assertThat(forecasts(model, 3))
        .containsExactly(new double[] {453.497721751, 429.390569252, 467.036052089}, within(0.5));
  }

  /**
   * {@code HoltWinters(ts(weeks, frequency = 7))}: 0.244512129, 0, 0.776583641, SSE 1314.1650499.
   */
  @Test
  void fromFourWeeksItFindsWeightsNoWorseThanThoseOfR() {
    HoltWinters model = HoltWinters.fit(WEEKS, 7);

    assertThat(model.squaredErrors()).isLessThan(1314.1650499 * 1.0001);
  }

  @Test
  void lessThanTwoSeasonsAndAValueAreRefused() {
    assertThatThrownBy(() -> HoltWinters.smooth(new double[14], 7, 0.3, 0.1, 0.1))
        .hasMessage("values: 14 (expected: more than 14)");
  }

  private static double[] forecasts(HoltWinters model, int steps) {
    return IntStream.rangeClosed(1, steps).mapToDouble(model::forecast).toArray();
  }
}
