package io.headgate.configurator.plan;

import static io.headgate.configurator.Traffic.MONDAY;
import static io.headgate.configurator.Traffic.rule;
import static io.headgate.configurator.Traffic.times;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headgate.configurator.Traffic;
import io.headgate.configurator.guard.Capacity;
import io.headgate.configurator.guard.Pin;
import io.headgate.configurator.history.Calendar;
import io.headgate.configurator.history.CalendarWindow;
import io.headgate.configurator.history.WindowKind;
import io.headgate.configurator.series.Series;
import io.headgate.configurator.series.TimeRange;
import io.headgate.configurator.source.SourceException;
import io.headgate.control.rules.RuleCodec;
import io.headgate.core.rule.NamePattern;
import io.headgate.core.rule.Rate;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.RuleSet;
import io.headgate.core.rule.ServiceRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LimitPlannerTest {

  /** The greatest of 1,000/s with noise of 3 %, times 1.25. */
  private static final double STEADY = 1350;

  private final World world = new World();

  @Test
  void theLimitIsTheUsualPeakAndAQuarter() throws Exception {
    Series traffic = Traffic.days(28);
    LimitDecision decision =
        world.traffic("checkout", traffic).runAtDay(28, checkout(1200)).decisions().get(0);

    double peak = Arrays.stream(traffic.values()).max().orElseThrow();
    assertThat(decision.after().perSecond()).isCloseTo(1.25 * peak, within(5.0));
    assertThat(decision.reason()).isEqualTo("peak 1,080/s x 1.25");
    assertThat(decision.expectedFalseDrops()).isZero();
    assertThat(decision.needsApproval()).isFalse();
  }

  @Test
  void anAttackOfSixHoursChangesNoLimit() throws Exception {
    LimitDecision without =
        only(world.traffic("checkout", Traffic.days(28)).runAtDay(28, checkout(1200)));
    LimitDecision with =
        only(
            world
                .traffic("checkout", times(Traffic.days(28), 24.5, 6, 5))
                .runAtDay(28, checkout(1200)));

    assertThat(with.after()).isEqualTo(without.after());
    assertThat(with.reason()).contains("1 outlying day (2026-03-26)");
  }

  @Test
  void aDailyRunThroughAnAttackNeverRaisesTheLimit() throws Exception {
    List<Double> limits =
        world.traffic("checkout", times(Traffic.days(60), 35.5, 6, 5)).dailyRuns(28, 60, STEADY);

    assertThat(limits)
        .allSatisfy(limit -> assertThat(limit).isCloseTo(STEADY, within(0.05 * STEADY)));
  }

  /** Offered is capped at 60 %, as a source shows that knows what was admitted only. */
  @Test
  void aThrottledWeekDoesNotLowerTheLimit() throws Exception {
    Series whole = Traffic.days(60);
    double[] admitted = whole.values();
    double[] dropped = new double[admitted.length];
    for (int i = 28 * whole.stepsPerDay(); i < 35 * whole.stepsPerDay(); i++) {
      dropped[i] = Math.max(0, admitted[i] - 600);
      admitted[i] = Math.min(600, admitted[i]);
    }
    List<Double> limits =
        world
            .traffic("checkout", whole.withValues(admitted))
            .dropped("checkout", whole.withValues(dropped))
            .dailyRuns(29, 60, STEADY);

    assertThat(limits)
        .allSatisfy(limit -> assertThat(limit).isCloseTo(STEADY, within(0.05 * STEADY)));
  }

  @Test
  void growthOfFortyPercentAWeekIsFollowedWithoutADrop() throws Exception {
    Series traffic = Traffic.days(49, 1, day -> day < 28 ? 1 : Math.pow(1.4, (day - 28) / 7));
    List<Double> limits = world.traffic("checkout", traffic).dailyRuns(28, 49, STEADY);

    for (int day = 28; day < 49; day++) {
      double limit = limits.get(day - 28);
      int from = day * traffic.stepsPerDay();
      for (int i = from; i < from + traffic.stepsPerDay(); i++) {
        assertThat(traffic.at(i)).as("day %s", day).isLessThanOrEqualTo(limit);
      }
    }
    for (int i = 1; i < limits.size(); i++) {
      assertThat(limits.get(i)).isLessThanOrEqualTo(1.5 * limits.get(i - 1));
    }
  }

  @Test
  void aCollapseFallsByStepsAndNotToNothing() throws Exception {
    Series traffic = Traffic.days(80, 1, day -> day < 28 ? 1 : 0.1);
    List<Double> limits = world.traffic("checkout", traffic).dailyRuns(28, 80, STEADY);

    double before = STEADY;
    for (double limit : limits) {
      assertThat(limit).isGreaterThanOrEqualTo(0.8 * before);
      before = limit;
    }
    assertThat(limits.subList(0, 14)).allSatisfy(limit -> assertThat(limit).isEqualTo(STEADY));
    assertThat(before).isCloseTo(0.1 * STEADY, within(0.1 * STEADY));
  }

  @Test
  void whatWasExpectedToBeAnIncidentIsNotLearnedFrom() throws Exception {
    // Three days long, so that it is no outlier any more.
    Series traffic = times(Traffic.days(28), 25, 72, 3);
    TimeRange window = new TimeRange(second(25), second(28));
    LimitDecision decision =
        only(
            world
                .traffic("checkout", traffic)
                .calendar(calendar(WindowKind.INCIDENT, window, "a retry storm"))
                .runAtDay(28, checkout(STEADY)));

    assertThat(decision.isChange()).isFalse();
    assertThat(decision.reason()).contains("1 incident window");
  }

  @Test
  void noLimitFallsBeforeAPeakThatPeopleExpect() throws Exception {
    TimeRange sale = new TimeRange(second(40), second(41));
    LimitDecision decision =
        only(
            world
                .traffic("checkout", Traffic.days(28))
                .calendar(calendar(WindowKind.PEAK, sale, "sale"))
                .runAtDay(28, checkout(3000)));

    assertThat(decision.after()).isEqualTo(Rate.perSecond(3000));
    assertThat(decision.needsApproval()).isTrue();
    assertThat(decision.reason())
        .contains("no fall before the peak of 2026-04-11T00:00:00Z (sale)");
  }

  @Test
  void aRunRaisesByHalfAtMostAndSaysWhereItWouldGo() throws Exception {
    LimitDecision decision =
        only(world.traffic("checkout", Traffic.days(28)).runAtDay(28, checkout(500)));

    assertThat(decision.after()).isEqualTo(Rate.perSecond(750));
    assertThat(decision.wanted().perSecond()).isCloseTo(STEADY, within(30.0));
    assertThat(decision.needsApproval()).isTrue();
    assertThat(decision.expectedFalseDrops()).isGreaterThan(0.01);
  }

  @Test
  void aNewServiceKeepsItsLimit() throws Exception {
    Series traffic = Traffic.days(28);
    double[] values = traffic.values();
    Arrays.fill(values, 0, 25 * traffic.stepsPerDay(), Double.NaN);
    LimitDecision decision =
        only(world.traffic("checkout", traffic.withValues(values)).runAtDay(28, checkout(500)));

    assertThat(decision.isChange()).isFalse();
    assertThat(decision.reason()).isEqualTo("3.0 days of history (expected: 14 at least); kept");
  }

  @Test
  void halfOfTheSamplesAreNotEnough() throws Exception {
    Series traffic = Traffic.days(28);
    double[] values = traffic.values();
    for (int i = 1; i < values.length; i += 2) {
      values[i] = Double.NaN;
    }
    LimitDecision decision =
        only(world.traffic("checkout", traffic.withValues(values)).runAtDay(28, checkout(500)));

    assertThat(decision.isChange()).isFalse();
    assertThat(decision.reason())
        .isEqualTo("50 % of the history is known (expected: 90 % at least); kept");
  }

  @Test
  void aFixedQuotaIsTheSameInEveryRunWhateverTrafficIs() throws Exception {
    world.policy("{ name: fixed, limit: 4321/s }");

    // There is no traffic at all, which the policy does not ask for.
    assertThat(only(world.runAtDay(28, checkout(100))).after()).isEqualTo(Rate.perSecond(4321));
    assertThat(only(world.runAtDay(60, checkout(9999))).after()).isEqualTo(Rate.perSecond(4321));
  }

  @Test
  void aPinHoldsUntilItExpires() throws Exception {
    world
        .traffic("checkout", Traffic.days(60))
        .pins(
            new Pin(
                NamePattern.of("payments"),
                NamePattern.of("checkout"),
                NamePattern.any(),
                5000,
                MONDAY.plus(Duration.ofDays(30)),
                "launch"));

    LimitDecision held = only(world.runAtDay(29, checkout(1200)));
    assertThat(held.after()).isEqualTo(Rate.perSecond(5000));
    assertThat(held.reason()).isEqualTo("pinned until 2026-04-01T00:00:00Z (launch)");
    assertThat(only(world.runAtDay(30, checkout(1200))).after().perSecond())
        .isCloseTo(STEADY, within(30.0));
  }

  @Test
  void aRegionHasRoomForTheCallsOfTheOtherOne() throws Exception {
    Series half = times(Traffic.days(28), 0, 28 * 24, 0.5);
    ChangeSet changes =
        world
            .traffic("checkout", Traffic.days(28))
            .traffic("checkout@eu", half)
            .failover(2)
            .runAtDay(28, rule("checkout", STEADY, Map.of("eu", Rate.perSecond(1000))));

    LimitDecision eu = changes.decisions().get(1);
    assertThat(eu.place()).isEqualTo("eu");
    assertThat(eu.after().perSecond()).isCloseTo(STEADY, within(30.0));
    assertThat(eu.reason()).contains("x 2.00 for a failover");
  }

  @Test
  void aFailoverIsNoTrafficOfTheRegionButItsPeakMustPass() throws Exception {
    Series half = times(Traffic.days(28), 0, 28 * 24, 0.5);
    Series failedOver = times(half, 21.4, 6, 4);
    LimitDecision decision =
        world
            .traffic("checkout", Traffic.days(28))
            .traffic("checkout@eu", failedOver)
            .calendar(
                calendar(
                    WindowKind.FAILOVER,
                    new TimeRange(second(21) + 34_000, second(21) + 60_000),
                    "us-east is down"))
            .runAtDay(28, rule("checkout", STEADY, Map.of("eu", Rate.perSecond(1800))))
            .decisions()
            .get(1);

    assertThat(decision.reason()).contains("of a failover", "1 failover window");
    assertThat(decision.after().perSecond()).isGreaterThan(2000).isLessThan(2300);
  }

  @Test
  void noLimitRisesWhenTheCallersTogetherWouldAskForTooMuch() throws Exception {
    world
        .traffic("checkout", Traffic.days(28))
        .traffic("search", Traffic.days(28))
        .capacity(new Capacity(1500, 1.5));

    ChangeSet changes = world.runAtDay(28, checkout(1200), rule("search", 1800, Map.of()));

    assertThat(changes.commitments())
        .singleElement()
        .satisfies(
            commitment -> {
              assertThat(commitment.exceeded()).isTrue();
              assertThat(commitment.overcommit()).isCloseTo(2 * STEADY / 1500, within(0.1));
            });
    LimitDecision raised = changes.decisions().get(0);
    assertThat(raised.after()).isEqualTo(Rate.perSecond(1200));
    assertThat(raised.needsApproval()).isTrue();
    assertThat(raised.reason()).contains("times the capacity (expected: 1.50 at most)");
    assertThat(changes.decisions().get(1).after().perSecond()).isLessThan(1800);
  }

  @Test
  void aWeeklyJobIsNoOutlier() throws Exception {
    Series traffic = Traffic.days(28);
    for (int week = 0; week < 4; week++) {
      traffic = times(traffic, 7 * week + 2.5, 2, 2.5);
    }
    LimitDecision decision = only(world.traffic("checkout", traffic).runAtDay(28, checkout(3000)));

    assertThat(decision.after().perSecond()).isGreaterThan(2.5 * 1000);
  }

  @Test
  void aRuleThatLetsNothingPassIsForPeopleToChange() throws Exception {
    LimitDecision decision =
        only(world.traffic("checkout", Traffic.days(28)).runAtDay(28, checkout(0)));

    assertThat(decision.isChange()).isFalse();
    assertThat(decision.reason()).contains("nothing may pass");
  }

  @Test
  void aSourceThatFailsForOneLimitLeavesAllAsTheyAre() {
    world.traffic("checkout", Traffic.days(28));

    assertThatThrownBy(() -> world.runAtDay(28, checkout(500), rule("search", 500, Map.of())))
        .isInstanceOf(SourceException.class)
        .hasMessage("nothing of payments/search");
  }

  @Test
  void theSameDataGiveTheSameBytesWhateverTheNumberOfThreads() throws Exception {
    RuleSet rules =
        Traffic.rules(checkout(500), rule("search", 900, Map.of("eu", Rate.perSecond(70))));
    List<String> written = new ArrayList<>();
    List<ChangeSet> changes = new ArrayList<>();
    for (int threads : new int[] {1, 4, 4}) {
      World again =
          new World()
              .policy("{ name: forecast }")
              .traffic("checkout", Traffic.days(28))
              .traffic("search", Traffic.days(28, 7, day -> 1))
              .traffic("search@eu", Traffic.days(28, 8, day -> 0.1));
      ChangeSet result = again.run(rules, MONDAY.plus(Duration.ofDays(28)), threads);
      changes.add(result);
      written.add(RuleCodec.write(result.applyTo(rules)));
    }

    assertThat(changes).allMatch(changes.get(0)::equals);
    assertThat(written).allMatch(written.get(0)::equals);
    assertThat(written.get(0))
        .contains("name: checkout")
        .contains("limit: 750/s")
        .contains("eu: 105/s");
  }

  @Test
  void changesAreAppliedToTheRulesTheyWereComputedForAndToNoOthers() throws Exception {
    RuleSet rules = Traffic.rules(checkout(500));
    ChangeSet changes =
        world.traffic("checkout", Traffic.days(28)).run(rules, MONDAY.plus(Duration.ofDays(28)), 1);

    ServiceRules changed = changes.applyTo(rules).get(0);
    assertThat(changed.rules().get(0).limit()).isEqualTo(Rate.perSecond(750));
    assertThat(changed.rules().get(0).caller()).isEqualTo(NamePattern.of("checkout"));
    assertThatThrownBy(() -> changes.applyTo(Traffic.rules(checkout(501))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("for which the changes were computed");
  }

  private static Rule checkout(double limit) {
    return rule("checkout", limit, Map.of());
  }

  private static LimitDecision only(ChangeSet changes) {
    assertThat(changes.decisions()).hasSize(1);
    return changes.decisions().get(0);
  }

  private static long second(int day) {
    return MONDAY.plus(Duration.ofDays(day)).getEpochSecond();
  }

  private static Calendar calendar(WindowKind kind, TimeRange range, String about) {
    return new Calendar(
        List.of(
            new CalendarWindow(
                kind, range, NamePattern.any(), NamePattern.any(), NamePattern.any(), about)));
  }
}
