package io.headgate.configurator.backtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.configurator.Traffic;
import io.headgate.configurator.history.Calendar;
import io.headgate.configurator.history.CalendarWindow;
import io.headgate.configurator.history.Cleaning;
import io.headgate.configurator.history.WindowKind;
import io.headgate.configurator.policy.Estimate;
import io.headgate.configurator.policy.LimitPolicy;
import io.headgate.configurator.policy.Policies;
import io.headgate.configurator.series.Series;
import io.headgate.configurator.series.TimeRange;
import io.headgate.core.rule.NamePattern;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class BackTestTest {

  private static final LimitPolicy PEAK = Policies.load().byDefault();

  @Test
  void falseDropsAreWhatALimitWouldHaveTakenFromThePeriodsThatCameNext() {
    // Steps of a day: four to learn from at 10/s, two to judge at 30/s, two to judge at 10/s.
    Series series = Series.of(0, Series.DAY, new double[] {10, 10, 10, 10, 30, 30, 10, 10});
    LimitPolicy twenty = (history, outlook) -> Estimate.learned(20, "always");

    BackTestResult result =
        new BackTest(4, 2, none(), none()).run(twenty, Traffic.limit(1), series);

    assertThat(result.periods()).isEqualTo(2);
    assertThat(result.falseDrops()).isEqualTo(20.0 / 80);
    assertThat(result.medianLimitToPeak()).isCloseTo((20.0 / 30 + 2) / 2, within(1e-12));
    assertThat(result.leastLimitToPeak()).isEqualTo(20.0 / 30);
    assertThat(result.attackInflation()).isEqualTo(1);
  }

  @Test
  void whatIsInTheCalendarIsRightlyDropped() {
    Series series = Series.of(0, Series.DAY, new double[] {10, 10, 10, 10, 30, 10});
    Cleaning judging =
        new Cleaning(
            new Calendar(
                List.of(
                    new CalendarWindow(
                        WindowKind.INCIDENT,
                        new TimeRange(4L * Series.DAY, 5L * Series.DAY),
                        NamePattern.any(),
                        NamePattern.any(),
                        NamePattern.any(),
                        ""))),
            false);
    LimitPolicy twenty = (history, outlook) -> Estimate.learned(20, "always");

    BackTestResult result =
        new BackTest(4, 2, none(), judging).run(twenty, Traffic.limit(1), series);

    assertThat(result.falseDrops()).isZero();
    assertThat(result.leastLimitToPeak()).isEqualTo(20.0 / 30);
  }

  @Test
  void aSimplePolicyIsMovedByAnAttackAndPeakIsNot() {
    Series series = Traffic.days(70);
    LimitPolicy greatest =
        (history, outlook) ->
            Estimate.learned(
                1.25 * Arrays.stream(history.usable().known()).max().orElseThrow(), "greatest");

    BackTest test = new BackTest(28, 7, none(), none());
    assertThat(test.run(greatest, Traffic.limit(1), series).attackInflation()).isGreaterThan(3);
    BackTestResult peak = test.run(PEAK, Traffic.limit(1), series);
    assertThat(peak.periods()).isEqualTo(6);
    assertThat(peak.attackInflation()).isEqualTo(1);
    assertThat(peak.falseDrops()).isZero();
    assertThat(peak.medianLimitToPeak()).isCloseTo(1.25, within(0.05));
  }

  @Test
  void tooLittleOfThePastIsNoPeriod() {
    assertThat(new BackTest(28, 7, none(), none()).run(PEAK, Traffic.limit(1), Traffic.days(30)))
        .extracting(BackTestResult::periods)
        .isEqualTo(0);
  }

  private static Cleaning none() {
    return new Cleaning(Calendar.EMPTY, false);
  }
}
