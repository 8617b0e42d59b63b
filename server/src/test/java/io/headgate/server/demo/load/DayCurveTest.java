package io.headgate.server.demo.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class DayCurveTest {

  private static final Offset<Double> EXACT = Offset.offset(1e-9);

  @Test
  void isLowestAtNightAndHighestHalfADayLater() {
    DayCurve curve = new DayCurve(80, 0.3, 1.2, 0, 0);
    assertThat(curve.factor(10)).isCloseTo(0.3, EXACT);
    assertThat(curve.factor(50)).isCloseTo(1.2, EXACT);
    assertThat(curve.factor(90)).isCloseTo(0.3, EXACT);
  }

  @Test
  void comesLaterWhereTheDayBeginsLater() {
    assertThat(new DayCurve(80, 0.3, 1.2, 0, 0.25).factor(70)).isCloseTo(1.2, EXACT);
  }

  @Test
  void hasItsSpikeEverywhereAtOnce() {
    DayCurve here = new DayCurve(100, 1, 1, 2, 0);
    DayCurve there = new DayCurve(100, 1, 1, 2, 0.3);
    assertThat(here.factor(49.9)).isEqualTo(1);
    assertThat(here.factor(55)).isEqualTo(3);
    assertThat(there.factor(155)).isEqualTo(3);
    assertThat(there.factor(160)).isEqualTo(1);
  }
}
