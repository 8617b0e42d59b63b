package io.headgate.configurator.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.configurator.trigger.DriftSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A peak of 1,000 a second asks for a limit of 1,250. */
class ConfiguratorLoopTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);

  @TempDir private Path directory;
  private Site site;

  @BeforeEach
  void twoRules() {
    site = new Site(directory).rules("checkout", 1000, "search", 1100);
  }

  @Test
  void rulesThatNobodyHasComputedAreComputedAtOnceAndThenByTheSchedule() {
    ConfiguratorLoop runner = site.runner("one");
    site.time.pass(MINUTE);

    assertThat(site.limit("checkout")).isEqualTo("1250/s");
    assertThat(site.limit("search")).isEqualTo("1250/s");
    assertThat(site.last(runner).cause()).isEqualTo("rules");
    assertThat(site.status(runner).next()).isEqualTo("2026-03-03T02:30:00Z");

    site.demand.level("checkout", Site.START.minus(Duration.ofDays(28)), 1.2);
    site.time.until("2026-03-03T02:29:30Z");
    assertThat(site.limit("checkout")).isEqualTo("1250/s");
    site.time.pass(MINUTE);

    assertThat(site.limit("checkout")).isEqualTo("1500/s");
    RunReport last = site.last(runner);
    assertThat(last.at()).isEqualTo("2026-03-03T02:30:00Z");
    assertThat(last.cause()).isEqualTo("schedule");
    assertThat(last.result()).isEqualTo("written");
    assertThat(last.limits()).isEqualTo(2);
    assertThat(last.changes()).isEqualTo(1);
    assertThat(site.status(runner).next()).isEqualTo("2026-03-04T02:30:00Z");
  }

  @Test
  void whatItWritesAreCandidatesUnlessTheConfigurationSaysOtherwise() {
    site.candidates().runner("one");
    site.time.pass(MINUTE);

    assertThat(site.limit("checkout")).isEqualTo("1000/s / 1250/s");
  }

  @Test
  void candidatesThatHaveProvenThemselvesAreEnforcedAndThatIsNoReasonToComputeAnything() {
    site.candidates().trialsEvery(HOUR).runner("one");
    site.time.pass(Duration.ofDays(7));
    assertThat(site.limit("checkout")).as("not yet").isEqualTo("1000/s / 1250/s");
    assertThat(waiting()).isEqualTo(2);

    site.time.pass(HOUR.multipliedBy(2));

    assertThat(site.limit("checkout")).isEqualTo("1250/s");
    assertThat(site.limit("search")).isEqualTo("1250/s");
    assertThat(steps("promote")).isEqualTo(2);
    site.demand.reads();
    site.time.pass(HOUR.multipliedBy(2));
    assertThat(site.demand.reads()).isEmpty();
    assertThat(steps("finish")).isEqualTo(2);
    assertThat(waiting()).isZero();
  }

  private double steps(String step) {
    return site.metrics
        .get("headgate.configurator.trial.steps")
        .tag("step", step)
        .counter()
        .count();
  }

  private double waiting() {
    return site.metrics.get("headgate.configurator.trials.waiting").gauge().value();
  }

  @Test
  void whatItHasWrittenIsNoReasonToComputeItAgain() {
    site.runner("one");
    site.time.pass(MINUTE);
    assertThat(site.demand.reads()).containsExactly("checkout", "search");

    site.time.pass(HOUR);

    assertThat(site.demand.reads()).isEmpty();
  }

  @Test
  void aRuleThatSomebodyChangesIsComputedAtOnceAndNoOther() {
    ConfiguratorLoop runner = site.runner("one");
    site.time.pass(MINUTE);
    site.demand.reads();

    site.rules("checkout", 1250, "search", 1000);
    site.time.pass(MINUTE);

    assertThat(site.demand.reads()).containsExactly("search");
    assertThat(site.limit("search")).isEqualTo("1250/s");
    assertThat(site.last(runner).limits()).isEqualTo(1);
    assertThat(site.status(runner).next()).as("as before").isEqualTo("2026-03-03T02:30:00Z");
  }

  @Test
  void aCommentIsNoReason() {
    site.runner("one");
    site.time.pass(MINUTE);
    site.demand.reads();

    site.write("# of the payments team\n" + site.text());
    site.time.pass(HOUR);

    assertThat(site.demand.reads()).isEmpty();
    assertThat(site.text()).startsWith("# of the payments team\n");
  }

  @Test
  void aPeakAboveTheBandIsAReasonForThatLimitOnce() {
    site.drift(DriftSettings.DEFAULT);
    ConfiguratorLoop runner = site.runner("one");
    site.time.until("2026-03-02T13:30:00Z");
    assertThat(site.status(runner).drifted()).isZero();
    site.demand.reads();

    site.demand.level("checkout", Instant.parse("2026-03-03T00:00:00Z"), 1.2);
    site.time.until("2026-03-03T11:59:00Z");
    assertThat(site.demand.reads()).as("by the schedule").containsExactly("checkout", "search");
    site.time.until("2026-03-03T12:50:00Z");

    assertThat(site.demand.reads()).containsExactly("checkout");
    assertThat(site.last(runner).cause()).isEqualTo("drift");
    assertThat(site.limit("checkout")).isEqualTo("1500/s");
    site.time.until("2026-03-03T23:00:00Z");
    assertThat(site.demand.reads()).as("it is known").isEmpty();
  }

  /** From 1,000 it falls to 800 in a run, of which 200 is too little, and then to 640. */
  @Test
  void aPeakBelowTheBandIsAReasonForThatLimitOnce() {
    site.demand.level("checkout", Site.START.minus(Duration.ofDays(60)), 0.2);
    site.drift(DriftSettings.DEFAULT);
    ConfiguratorLoop runner = site.runner("one");
    site.time.pass(MINUTE);
    assertThat(site.limit("checkout")).isEqualTo("800/s");
    site.demand.reads();

    site.time.until("2026-03-02T22:00:00Z");

    assertThat(site.demand.reads()).containsExactly("checkout");
    assertThat(site.last(runner).cause()).isEqualTo("drift");
    assertThat(site.limit("checkout")).isEqualTo("640/s");
  }

  /** One that stays out of the band does not fall faster than by the schedule. */
  @Test
  void aLimitThatStaysOutOfTheBandIsNotComputedAgainForThat() {
    site.demand.level("checkout", Site.START.minus(Duration.ofDays(60)), 0.05);
    site.drift(DriftSettings.DEFAULT);
    ConfiguratorLoop runner = site.runner("one");
    site.time.until("2026-03-03T02:29:00Z");

    assertThat(site.limit("checkout")).isEqualTo("640/s");
    assertThat(site.status(runner).drifted()).isEqualTo(1);
  }

  @Test
  void anotherLevelWithinTheBandIsAReason() {
    site.drift(DriftSettings.DEFAULT);
    ConfiguratorLoop runner = site.runner("one");
    site.time.until("2026-03-02T13:30:00Z");
    site.demand.reads();

    // Three times what these hours have, and less than the peak at noon.
    site.demand.level("search", Instant.parse("2026-03-02T14:00:00Z"), 3);
    site.time.until("2026-03-02T18:00:00Z");

    assertThat(site.demand.reads()).containsExactly("search");
    assertThat(site.last(runner).cause()).isEqualTo("drift");
  }

  @Test
  void afterARunThereIsNoneForDriftUntilItHasCooledDown() {
    site.drift(DriftSettings.DEFAULT);
    site.runner("one");
    site.time.until("2026-03-03T11:00:00Z");
    site.demand.reads();
    site.demand.level("checkout", Instant.parse("2026-03-03T11:30:00Z"), 8);
    site.demand.level("search", Instant.parse("2026-03-03T12:00:00Z"), 2);

    site.time.until("2026-03-03T12:05:00Z");
    assertThat(site.demand.reads()).containsExactly("checkout");
    site.time.until("2026-03-03T13:00:00Z");
    assertThat(site.demand.reads()).as("search has drifted meanwhile").isEmpty();
    site.time.until("2026-03-03T13:20:00Z");

    assertThat(site.demand.reads()).containsExactly("search");
  }

  @Test
  void aSourceThatIsDownChangesNothingAndIsTriedAgainWithPauses() {
    String before = site.text();
    site.demand.down("cannot be reached");
    ConfiguratorLoop runner = site.runner("one");
    site.time.pass(Duration.ofSeconds(10));

    ConfiguratorStatus status = site.status(runner);
    assertThat(status.failure()).isEqualTo("payments/checkout: cannot be reached");
    assertThat(status.failures()).isEqualTo(1);
    assertThat(status.last().result()).isEqualTo("failed");
    assertThat(status.last().message()).contains("cannot be reached");

    site.time.pass(HOUR);

    assertThat(site.text()).isEqualTo(before);
    // After 1, 2, 4 and 8 minutes, and each 10 then: at 1, 3, 7, 15, 25, 35, 45 and 55.
    assertThat(site.status(runner).failures()).isEqualTo(9);
    assertThat(runs("rules", "failed")).isEqualTo(9);
    assertThat(site.metrics.get("headgate.configurator.failures").gauge().value()).isEqualTo(9);

    site.demand.down(null);
    site.time.pass(Duration.ofMinutes(10));

    assertThat(site.limit("checkout")).isEqualTo("1250/s");
    assertThat(site.status(runner).failure()).isEmpty();
    assertThat(site.metrics.get("headgate.configurator.failures").gauge().value()).isZero();
    assertThat(runs("rules", "written")).isEqualTo(1);
  }

  @Test
  void aSourceThatIsDownWhileDriftIsLookedForIsAFailureToo() {
    site.drift(DriftSettings.DEFAULT);
    ConfiguratorLoop runner = site.runner("one");
    site.time.pass(MINUTE);
    site.demand.down("asks for fewer queries (HTTP status 429)");
    site.time.pass(Duration.ofMinutes(20));

    assertThat(site.status(runner).failure()).contains("429");
    assertThat(site.limit("checkout")).isEqualTo("1250/s");
  }

  @Test
  void rulesWithMistakesAreLeftAloneUntilTheyAreMended() {
    String mended = site.text();
    site.write(mended.replace("1100/s", "many"));
    ConfiguratorLoop runner = site.runner("one");
    site.time.pass(Duration.ofMinutes(30));
    assertThat(site.status(runner).failure()).contains("payments.yaml:").contains("many");
    assertThat(site.demand.reads()).isEmpty();

    site.write(mended);
    site.time.pass(MINUTE);

    assertThat(site.limit("search")).isEqualTo("1250/s");
  }

  @Test
  void rulesThatSomebodyChangesMeanwhileAreComputedAnew() {
    site.demand.meanwhile(() -> site.rules("checkout", 1000, "search", 900));
    site.runner("one");
    site.time.pass(Duration.ZERO);

    assertThat(runs("rules", "conflict")).isEqualTo(1);
    assertThat(site.limit("search")).as("as it was changed").isEqualTo("900/s");
    site.time.pass(MINUTE);

    assertThat(site.limit("search")).isEqualTo("1250/s");
    assertThat(site.limit("checkout")).isEqualTo("1250/s");
  }

  @Test
  void theSameDataGivesTheSameBytes() throws Exception {
    Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
    Site other = new Site(elsewhere).rules("checkout", 1000, "search", 1100);
    for (Site each : new Site[] {site, other}) {
      each.demand.level("search", Instant.parse("2026-02-25T00:00:00Z"), 1.3);
      each.runner("one");
      each.time.pass(MINUTE);
    }

    assertThat(other.text()).isEqualTo(site.text()).contains("1630/s");
  }

  @Test
  void aRunThatIsStoppedWritesNothingAndLetsGoOfTheLease() throws Exception {
    String before = site.text();
    ConfiguratorLoop[] runner = new ConfiguratorLoop[1];
    site.demand.meanwhile(() -> runner[0].stop());
    runner[0] = site.runner("one");
    site.time.pass(MINUTE);

    assertThat(site.text()).isEqualTo(before);
    assertThat(runs("rules", "stopped")).isEqualTo(1);
    assertThat(site.repository().leaseHolder(site.time.instant())).isEmpty();
    site.time.pass(HOUR);
    assertThat(site.text()).as("it has ended").isEqualTo(before);
  }

  private double runs(String cause, String result) {
    return site.metrics
        .get("headgate.configurator.runs")
        .tags("cause", cause, "result", result)
        .counter()
        .count();
  }
}
