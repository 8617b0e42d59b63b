package io.headgate.configurator.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.configurator.series.Series;
import java.util.Arrays;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class DriftCheckTest {

  private static final double LIMIT = 1250;
  private static final Series USUAL = day(hour -> 1000);

  private static Series day(IntToDoubleFunction rate) {
    double[] rates = new double[24];
    Arrays.setAll(rates, rate);
    return Series.of(0, DriftCheck.STEP_SECONDS, rates);
  }

  private static String find(Series day, Series weekBefore) {
    return DriftCheck.find(day, weekBefore, LIMIT, DriftSettings.DEFAULT);
  }

  @Test
  void aDayLikeThatAWeekBeforeWithinTheBandIsNoDrift() {
    assertThat(find(USUAL, USUAL)).isNull();
  }

  @Test
  void onePeakAboveTheBandIsDrift() {
    assertThat(find(day(hour -> hour == 12 ? 1130 : 1000), USUAL))
        .isEqualTo(
            "the greatest rate of the last day, 1,130.0/s, is 90 % of the limit (expected: 30 to"
                + " 90 %)");
  }

  @Test
  void aWholeDayBelowTheBandIsDriftAndAPartOfADayIsNot() {
    Series low = day(hour -> 370);
    assertThat(find(low, low)).contains("370.0/s, is 30 % of the limit");
    Series part = day(hour -> hour == 23 ? Double.NaN : 370);
    assertThat(find(part, part)).isNull();
  }

  @Test
  void twiceTheDemandOfTheWeekBeforeIsSeenInTheFourthHour() {
    assertThat(find(day(hour -> hour >= 21 ? 1000 : 500), day(hour -> 500))).isNull();
    assertThat(find(day(hour -> hour >= 20 ? 1000 : 500), day(hour -> 500)))
        .isEqualTo(
            "demand is at a higher level than a week before, last at 1,000.0/s instead of 500.0/s");
  }

  @Test
  void halfAsMuchAgainIsSeenInTheNinthHourAndTheSameDownwards() {
    assertThat(find(day(hour -> hour >= 16 ? 900 : 600), day(hour -> 600))).isNull();
    assertThat(find(day(hour -> hour >= 15 ? 900 : 600), day(hour -> 600))).contains("higher");
    assertThat(find(day(hour -> hour >= 15 ? 600 : 900), day(hour -> 900))).contains("a lower");
  }

  @Test
  void anHourOfFiveTimesTheDemandAndAFifthMoreForGoodAreNoOtherLevel() {
    assertThat(find(day(hour -> hour == 3 ? 1000 : hour == 12 ? 400 : 200), day(hour -> 200)))
        .isNull();
    assertThat(find(day(hour -> 720), day(hour -> 600))).isNull();
  }

  @Test
  void aNightThatIsLikeThatAWeekBeforeIsNoFall() {
    Series habit = day(hour -> hour < 8 ? 20 : 1000);
    assertThat(find(habit, habit)).isNull();
  }

  @Test
  void whatIsNotKnownSaysNothing() {
    Series unknown = day(hour -> Double.NaN);
    assertThat(find(unknown, USUAL)).isNull();
    assertThat(find(USUAL, unknown)).isNull();
    assertThat(find(day(hour -> hour == 5 ? 0 : 1000), USUAL)).isNull();
  }
}
