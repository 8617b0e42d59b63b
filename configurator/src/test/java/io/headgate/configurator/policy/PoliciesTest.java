package io.headgate.configurator.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headgate.configurator.Traffic;
import io.headgate.configurator.history.Calendar;
import io.headgate.configurator.history.Cleaning;
import io.headgate.configurator.history.History;
import io.headgate.configurator.parameters.Parameters;
import io.headgate.configurator.series.Series;
import io.headgate.control.yaml.Problems;
import io.headgate.control.yaml.YamlDocuments;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class PoliciesTest {

  private static final int HOUR = 3600;

  private final Policies policies = Policies.load();

  @Test
  void allThatComeWithHeadgateAreFound() {
    assertThat(policies.names())
        .containsExactly(
            "capacity", "fixed", "forecast", "near-real-time", "peak", "quantile", "seasonal");
  }

  @Test
  void theBufferOfAPeakIsForTheRuleToChoose() {
    double usual = estimate("{ name: peak }", Traffic.days(28)).perSecond();

    assertThat(estimate("{ name: peak, buffer: 2.5 }", Traffic.days(28)).perSecond())
        .isCloseTo(2 * usual, within(1e-9));
  }

  @Test
  void steadyGrowthIsAddedIfAskedForAndNeverMoreThanFivePercentAWeek() {
    Series grows = Traffic.days(28, 1, day -> 1 + 0.02 * day / 7);
    Series growsFast = Traffic.days(28, 1, day -> 1 + 0.06 * day / 7);

    double without = estimate("{ name: peak }", grows).perSecond();
    Estimate with = estimate("{ name: peak, growth: on }", grows);
    assertThat(with.perSecond() / without).isBetween(1.005, 1.03);
    assertThat(with.reason()).contains("x growth 1.0");
    // A day and a week ahead.
    assertThat(
            estimate("{ name: peak, growth: on }", growsFast).perSecond()
                / estimate("{ name: peak }", growsFast).perSecond())
        .isLessThanOrEqualTo(1 + 0.05 * 8 / 7 + 1e-9);
    assertThat(estimate("{ name: peak, growth: on }", Traffic.days(28, 4, day -> 1)).reason())
        .doesNotContain("growth");
  }

  @Test
  void aQuantileIsThatOfAllSteps() {
    double[] values = Traffic.days(28).values();
    Arrays.sort(values);
    double p99 = values[(int) (0.99 * values.length)];

    Estimate estimate = estimate("{ name: quantile, quantile: 0.99, buffer: 1 }", Traffic.days(28));
    assertThat(estimate.perSecond()).isCloseTo(p99, within(0.005 * p99));
  }

  @Test
  void aSeasonalLimitFollowsTheHoursOfTheWeek() {
    Series monday = Traffic.days(28);
    History history = history(monday);
    LimitPolicy policy = policy("{ name: seasonal, buffer: 1 }");
    long midnight = monday.range().toSecond();

    double atNight = policy.estimate(history, new Outlook(midnight, HOUR, 1000)).perSecond();
    double atNoon =
        policy.estimate(history, new Outlook(midnight + 11 * HOUR, HOUR, 1000)).perSecond();
    double allDay = policy.estimate(history, new Outlook(midnight, 24 * HOUR, 1000)).perSecond();
    assertThat(atNight).isBetween(350.0, 420.0);
    assertThat(atNoon).isBetween(1000.0, 1100.0);
    assertThat(allDay).isEqualTo(atNoon);
  }

  @Test
  void aForecastOfHabitsIsBelieved() {
    Estimate estimate = estimate("{ name: forecast }", Traffic.days(28));

    assertThat(estimate.reason()).startsWith("forecast peak 1,0").contains("off by");
    assertThat(estimate.perSecond()).isBetween(1060.0, 1200.0);
  }

  @Test
  void aForecastThatWasFarOffGivesWayToThePeakAndSaysSo() {
    Series unsteady = Traffic.days(28, 1, day -> 0.4 + 0.6 * (Math.floor(day) * 0.618 % 1));

    assertThat(estimate("{ name: forecast, buffer: 1.5 }", unsteady).reason())
        .contains("the forecast of the last week was off by", "more than 15.0 %: peak", "x 1.5");
    assertThat(estimate("{ name: forecast, worstError: 0.001 }", Traffic.days(28)).reason())
        .contains("more than 0.1 %: peak ");
  }

  @Test
  void aForecastNeedsThreeWeeks() {
    assertThat(estimate("{ name: forecast }", Traffic.days(21)).reason())
        .startsWith("no forecast from less than 22 days: peak");
  }

  @Test
  void nearRealTimeFollowsTheLastHoursInSmallSteps() {
    Series risen = Traffic.times(Traffic.days(28), 27.75, 6, 3);
    History history = history(risen);
    LimitPolicy policy = policy("{ name: near-real-time, window: 2h, buffer: 1.5, step: 0.1 }");
    long now = risen.range().toSecond();

    Estimate far = policy.estimate(history, new Outlook(now, 60, 500));
    assertThat(far.perSecond()).isCloseTo(550, within(1e-9));
    assertThat(far.reason()).startsWith("peak of the last 2 h ").endsWith("in steps of 10.0 %");
    Estimate near = policy.estimate(history, new Outlook(now, 60, 1200));
    assertThat(near.perSecond()).isBetween(1080.0, 1320.0);
  }

  @Test
  void nearRealTimeKeepsTheLimitWhenNothingIsKnown() {
    double[] values = Traffic.days(28).values();
    Arrays.fill(values, values.length - 24, values.length, Double.NaN);
    History history = history(Traffic.days(28).withValues(values));

    Estimate estimate =
        policy("{ name: near-real-time, window: 2h }")
            .estimate(history, new Outlook(Traffic.days(28).range().toSecond(), 60, 777));
    assertThat(estimate.perSecond()).isEqualTo(777);
    assertThat(estimate.reason()).isEqualTo("nothing is known of the last 2 h");
  }

  @Test
  void aShareOfThePlannedCapacityIsNotExceeded() {
    Estimate little = estimate("{ name: capacity, planned: 10k/s, share: 0.05 }", Traffic.days(28));
    Estimate enough = estimate("{ name: capacity, planned: 10k/s, share: 0.5 }", Traffic.days(28));

    assertThat(little.perSecond()).isCloseTo(500, within(1e-9));
    assertThat(little.reason()).startsWith("5.0 % of the planned 10,000/s, less than peak 1,0");
    assertThat(enough).isEqualTo(estimate("{ name: peak }", Traffic.days(28)));
  }

  @Test
  void policiesWithoutDefaultsCannotBeUsedWithThem() {
    assertThatThrownBy(() -> policies.withDefaults("fixed"))
        .hasMessage("policy: no limit (expected: a rate such as 5000/s)");
    assertThatThrownBy(() -> policies.withDefaults("peek"))
        .hasMessageContaining("did you mean 'peak'?");
  }

  private Estimate estimate(String yaml, Series offered) {
    return policy(yaml)
        .estimate(history(offered), new Outlook(offered.range().toSecond(), Series.DAY, 1000));
  }

  private static History history(Series offered) {
    return new Cleaning(Calendar.EMPTY, false)
        .clean(Traffic.limit(1000), offered, Traffic.nothing(offered));
  }

  private LimitPolicy policy(String yaml) {
    Problems problems = new Problems("policy");
    byte[] bytes = yaml.getBytes(StandardCharsets.UTF_8);
    LimitPolicy policy =
        policies.create(Parameters.of(new YamlDocuments(problems).read(bytes).get(0), problems));
    assertThat(problems.inOrder()).isEmpty();
    return policy;
  }
}
