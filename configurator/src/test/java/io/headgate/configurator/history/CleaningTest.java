package io.headgate.configurator.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.configurator.Traffic;
import io.headgate.configurator.series.LimitKey;
import io.headgate.configurator.series.Series;
import io.headgate.configurator.series.TimeRange;
import io.headgate.core.rule.NamePattern;
import io.headgate.core.rule.Rate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CleaningTest {

  private static final int PER_DAY = Series.DAY / Traffic.STEP;

  private final Series steady = Traffic.days(28);

  @Test
  void gapsAreFilledWithTheSameTimeOfOtherWeeks() {
    double[] values = steady.values();
    // The whole noon of a Wednesday, whose peak a line between the ends would cut off.
    int from = 9 * PER_DAY + PER_DAY / 4;
    Arrays.fill(values, from, from + PER_DAY / 2, Double.NaN);

    History history = clean(Calendar.EMPTY, steady.withValues(values));

    assertThat(history.filled().known()).hasSize(steady.size());
    int noon = 9 * PER_DAY + PER_DAY / 2;
    assertThat(history.filled().at(noon)).isCloseTo(1000, within(60.0));
    assertThat(history.kept().at(noon)).isNaN();
  }

  @Test
  void coverageCountsFromTheFirstSample() {
    double[] values = steady.values();
    Arrays.fill(values, 0, 14 * PER_DAY, Double.NaN);
    Arrays.fill(values, 20 * PER_DAY, 21 * PER_DAY, Double.NaN);

    Coverage coverage = clean(Calendar.EMPTY, steady.withValues(values)).coverage();

    assertThat(coverage.days()).isEqualTo(14);
    assertThat(coverage.known()).isCloseTo(13 / 14.0, within(1e-9));
    assertThat(coverage.masked()).isZero();
  }

  @Test
  void throttledTimeIsLeftOutUnlessItIsSaidToBeOfUse() {
    double[] dropped = new double[steady.size()];
    Arrays.fill(dropped, 3 * PER_DAY, 4 * PER_DAY, 5);

    History masked =
        new Cleaning(Calendar.EMPTY, false)
            .clean(Traffic.limit(1), steady, steady.withValues(dropped));
    History used =
        new Cleaning(Calendar.EMPTY, true)
            .clean(Traffic.limit(1), steady, steady.withValues(dropped));

    assertThat(masked.coverage().masked()).isCloseTo(1 / 28.0, within(1e-9));
    assertThat(masked.notes()).containsExactly("without 3.6 % of the time, throttled");
    assertThat(used.coverage().masked()).isZero();
  }

  @Test
  void aFailoverConcernsRegionsAndNotTheWhole() {
    TimeRange day = new TimeRange(steady.second(5 * PER_DAY), steady.second(6 * PER_DAY));
    Calendar calendar =
        new Calendar(
            List.of(
                new CalendarWindow(
                    WindowKind.FAILOVER,
                    day,
                    NamePattern.any(),
                    NamePattern.any(),
                    NamePattern.of("eu"),
                    "")));

    assertThat(clean(calendar, steady, "").coverage().masked()).isZero();
    assertThat(clean(calendar, steady, "us").coverage().masked()).isZero();
    History eu = clean(calendar, steady, "eu");
    assertThat(eu.coverage().masked()).isCloseTo(1 / 28.0, within(1e-9));
    assertThat(eu.failoverPeak()).isPositive();
  }

  @Test
  void anOutlyingDayIsLeftOutAsAWhole() {
    History history = clean(Calendar.EMPTY, Traffic.times(steady, 16.5, 6, 5));

    assertThat(history.dailyPeaks()[16]).isNaN();
    assertThat(history.usualPeaks()).hasSize(27);
    assertThat(history.kept().at(16 * PER_DAY)).isNaN();
    assertThat(history.usable().at(16 * PER_DAY)).isPositive();
  }

  @Test
  void threeHighDaysAtTheEndAreANewLevelAndTwoAreNot() {
    assertThat(clean(Calendar.EMPTY, Traffic.times(steady, 25, 72, 2)).dailyPeaks())
        .endsWith(Arrays.copyOfRange(peaks(Traffic.times(steady, 25, 72, 2)), 25, 28));
    assertThat(clean(Calendar.EMPTY, Traffic.times(steady, 26, 48, 3)).dailyPeaks())
        .endsWith(Double.NaN, Double.NaN);
  }

  @Test
  void theShareThatALimitWouldHaveDroppedIsOfWhatWasKept() {
    Series flat = Series.of(0, Series.DAY / 2, new double[] {10, 10, 10, 30});
    History history =
        new History(flat, flat, flat, new double[0], new Coverage(2, 1, 0), 0, List.of());

    assertThat(history.droppedBy(20)).isEqualTo(10.0 / 60);
  }

  private static double[] peaks(Series series) {
    double[] peaks = new double[series.days()];
    for (int day = 0; day < peaks.length; day++) {
      peaks[day] =
          Arrays.stream(series.values(), day * PER_DAY, (day + 1) * PER_DAY).max().orElseThrow();
    }
    return peaks;
  }

  private static History clean(Calendar calendar, Series offered) {
    return clean(calendar, offered, "");
  }

  private static History clean(Calendar calendar, Series offered, String place) {
    LimitKey limit =
        new LimitKey(
            "payments",
            Traffic.rule("checkout", 1, Map.of("eu", new Rate(1), "us", new Rate(1))),
            place);
    return new Cleaning(calendar, false).clean(limit, offered, Traffic.nothing(offered));
  }
}
