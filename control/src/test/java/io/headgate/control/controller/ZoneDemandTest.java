package io.headgate.control.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.headgate.control.controller.ZoneDemand.Incarnation;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ZoneDemandTest {

  private static final long SECOND = 1_000_000_000L;
  private static final Incarnation A = new Incarnation("a", 1);
  private static final Incarnation A_RESTARTED = new Incarnation("a", 2);
  private static final Incarnation B = new Incarnation("b", 1);
  private static final Incarnation C = new Incarnation("c", 1);

  private final ZoneDemand<Double> zone =
      new ZoneDemand<>(
          new ZoneDemand.Timing(
              3 * SECOND / 2, 5 * SECOND / 2, 5 * SECOND, 10 * SECOND, 600 * SECOND));

  @Test
  void sumsTheLatestRatesOfAllAggregators() {
    zone.report(A, 100.0, 10, 0);
    zone.report(B, 40.0, 4, 0);
    zone.report(A, 120.0, 10, SECOND);

    assertThat(demand()).isEqualTo(160);
  }

  @Test
  void holdsTheRatesOfALostAggregatorForTheHoldTime() {
    zone.report(A, 100.0, 10, 0);
    zone.report(B, 0.0, 0, 0);
    zone.lost(A, SECOND);
    zone.report(B, 0.0, 0, 3 * SECOND);

    zone.advance(7 * SECOND / 2 - 1);
    assertThat(demand()).isEqualTo(100);
    assertThat(open()).isZero();

    zone.advance(7 * SECOND / 2);
    assertThat(demand()).isZero();
    assertThat(zone.sources()).isEqualTo(1);
  }

  @Test
  void countsAZoneThatIsLostAsOpenAlongTheRampOfItsClients() {
    zone.report(A, 100.0, 10, 0);
    zone.lost(A, SECOND);

    // The clients obey for 5 s after the last report, and let go over the 10 s after that.
    zone.advance(5 * SECOND);
    assertThat(demand()).isEqualTo(100);
    assertThat(open()).isZero();

    zone.advance(8 * SECOND);
    assertThat(demand()).isCloseTo(100, within(1e-9));
    assertThat(open()).isCloseTo(30, within(1e-9));
    assertThat(zone.openClients()).isCloseTo(3, within(1e-9));
    assertThat(zone.sources()).isZero();

    zone.advance(15 * SECOND);
    assertThat(open()).isEqualTo(100);

    zone.advance(601 * SECOND - 1);
    assertThat(open()).isEqualTo(100);
    zone.advance(601 * SECOND);
    assertThat(demand()).isZero();
  }

  @Test
  void countsLessOfALostZoneAsItsClientsTurnUpAgain() {
    zone.report(A, 100.0, 10, 0);
    zone.lost(A, SECOND);
    zone.advance(60 * SECOND);

    zone.report(A_RESTARTED, 0.0, 0, 60 * SECOND);
    assertThat(open()).isEqualTo(100);
    zone.report(A_RESTARTED, 60.0, 6, 61 * SECOND);
    zone.advance(61 * SECOND);
    assertThat(demand()).isCloseTo(100, within(1e-9));
    assertThat(open()).isCloseTo(40, within(1e-9));

    // Those that have not turned up for the hold time are no longer there.
    zone.report(A_RESTARTED, 60.0, 6, 62 * SECOND);
    zone.advance(62 * SECOND + SECOND / 2);
    assertThat(demand()).isEqualTo(60);
  }

  @Test
  void aZoneThatIsHeardAgainByTheSameAggregatorIsNotOpen() {
    zone.report(A, 100.0, 10, 0);
    zone.advance(2 * SECOND);
    zone.advance(30 * SECOND);
    assertThat(open()).isEqualTo(100);

    zone.report(A, 90.0, 9, 31 * SECOND);
    zone.advance(31 * SECOND);

    assertThat(demand()).isEqualTo(90);
    assertThat(open()).isZero();
  }

  @Test
  void aZoneThatSaidGoodbyeIsNotHeld() {
    zone.report(A, 100.0, 10, 0);
    zone.goodbye(A);
    zone.lost(A, 0);
    zone.advance(60 * SECOND);

    assertThat(demand()).isZero();
  }

  @Test
  void holdsLessAsTheClientsTurnUpElsewhere() {
    zone.report(A, 100.0, 10, 0);
    zone.report(B, 40.0, 4, 0);
    zone.lost(A, SECOND);

    // 7 of the 10 have moved to B and offer 10 each there; the other 3 count as they were.
    zone.report(B, 110.0, 11, SECOND);

    assertThat(demand()).isCloseTo(140, within(1e-9));
  }

  @Test
  void countsClientsThatLeftBeforeTheLossWasSeen() {
    zone.report(A, 100.0, 10, 0);
    zone.report(B, 40.0, 4, 0);
    zone.report(B, 90.0, 9, SECOND);
    zone.advance(2 * SECOND);

    // A has been silent since the start: the 5 new clients of B were its own.
    assertThat(zone.lost()).hasSize(1);
    assertThat(demand()).isCloseTo(140, within(1e-9));
  }

  @Test
  void doesNotHoldMoreAgainWhenClientsLeave() {
    zone.report(A, 100.0, 10, 0);
    zone.report(B, 40.0, 4, 0);
    zone.lost(A, 0);
    zone.report(B, 140.0, 14, SECOND);
    zone.report(B, 40.0, 4, 2 * SECOND);

    assertThat(demand()).isCloseTo(40, within(1e-9));
  }

  @Test
  void givesTheClientsOfARestartedAggregatorBackOneByOne() {
    zone.report(A, 100.0, 10, 0);
    zone.lost(A, SECOND);
    zone.report(A_RESTARTED, 0.0, 0, SECOND);
    assertThat(demand()).isCloseTo(100, within(1e-9));

    zone.report(A_RESTARTED, 60.0, 6, 2 * SECOND);
    assertThat(demand()).isCloseTo(100, within(1e-9));

    zone.report(A_RESTARTED, 100.0, 10, 3 * SECOND);
    assertThat(demand()).isCloseTo(100, within(1e-9));
  }

  @Test
  void replacesTheHeldRatesOfAnAggregatorThatComesBackAsItWas() {
    zone.report(A, 100.0, 10, 0);
    zone.report(B, 40.0, 4, 0);
    zone.lost(A, SECOND);
    zone.report(A, 90.0, 9, 2 * SECOND);

    assertThat(demand()).isEqualTo(130);
    zone.advance(3 * SECOND);
    assertThat(zone.lost()).extracting(ZoneDemand.Lost::incarnation).containsExactly(B);
  }

  @Test
  void holdsTheRestOfTwoThatAreLostOneAfterTheOther() {
    zone.report(A, 100.0, 10, 0);
    zone.report(B, 40.0, 4, 0);
    zone.report(C, 10.0, 1, 0);
    zone.lost(A, 0);
    zone.report(B, 100.0, 10, SECOND / 2); // 6 of A
    zone.lost(B, SECOND / 2);
    assertThat(demand()).isCloseTo(150, within(1e-9));

    // All 14 that are gone turn up at C.
    zone.report(C, 150.0, 15, SECOND);
    assertThat(demand()).isCloseTo(150, within(1e-9));
  }

  @Test
  void forgetsAnAggregatorThatSaysGoodbye() {
    zone.report(A, 100.0, 10, 0);
    zone.report(B, 40.0, 4, 0);
    zone.goodbye(A);

    assertThat(demand()).isEqualTo(40);
    zone.lost(A, SECOND);
    assertThat(demand()).isEqualTo(40);
  }

  @Test
  void aSilentAggregatorIsLostAfterOneAndAHalfIntervals() {
    zone.report(A, 100.0, 10, 0);

    zone.advance(3 * SECOND / 2);
    assertThat(zone.lost()).isEmpty();
    zone.advance(3 * SECOND / 2 + 1);
    assertThat(zone.lost()).hasSize(1);
    assertThat(demand()).isEqualTo(100);
  }

  /**
   * Clients offer 1 to 9 each; at every moment of their return the sum is within 5 % of the truth.
   */
  @Test
  void theSumNeitherDipsNorDoublesWhileUnequalClientsOfARestartedAggregatorReturn() {
    Random random = new Random(5);
    double[] rates = random.doubles(400, 1, 9).toArray();
    double all = Arrays.stream(rates).sum();
    zone.report(A, all, 400, 0);
    zone.lost(A, SECOND);

    double back = 0;
    for (int clients = 0; clients < 400; clients++) {
      zone.report(A_RESTARTED, back, clients, SECOND + clients * SECOND / 400);
      assertThat(demand()).isCloseTo(all, withinPercentage(5));
      back += rates[clients];
    }
  }

  private double open() {
    double[] sum = {0};
    zone.forEach((rates, obeying, open) -> sum[0] += open * rates);
    return sum[0];
  }

  private double demand() {
    double[] sum = {0};
    zone.forEach((rates, obeying, open) -> sum[0] += (obeying + open) * rates);
    return sum[0];
  }
}
