package io.headgate.configurator.promotion;

import static io.headgate.configurator.promotion.Fleet.MONDAY;
import static io.headgate.configurator.promotion.Fleet.after;
import static io.headgate.configurator.promotion.Fleet.constant;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Limits that count in each zone or region apart go there one after the other. */
class StagesTest {

  @TempDir private Path directory;
  private Fleet fleet;

  @BeforeEach
  void aRegionOfTwoZonesIsFirst() throws IOException {
    fleet =
        new Fleet(directory)
            .steady(780)
            .promotion("region: a, zones: [a1, a2]")
            .rule("limit: 2000/s", "candidate: 1000/s", "scope: zone");
  }

  /** A run each three hours over three weeks, in which nothing is dropped. */
  @Test
  void fromAZoneToItsRegionToEverywhereOverWeeks() throws Exception {
    fleet.promotion("region: a, zones: [a1, a2], soak: 3h");
    List<String> steps = runsUntil(after("P21D"));

    assertThat(steps)
        .containsExactly(
            "2026-03-02T00:00:00Z start on trial: 1000/s",
            "2026-03-09T00:00:00Z promote 2000/s -> 1000/s, enforced in a1: 7.0 days, would drop 0"
                + " %, peak/limit 0.78",
            "2026-03-09T03:00:00Z promote 2000/s -> 1000/s, enforced in a1, a2: dropped 0 % in a1",
            "2026-03-09T06:00:00Z promote 2000/s -> 1000/s, enforced everywhere: dropped 0 % in a1,"
                + " a2",
            "2026-03-09T09:00:00Z finish 1000/s stays");
    assertThat(fleet.text())
        .isEqualTo(
            "service: payments\nrules:\n  - name: checkout\n    limit: 1000/s\n    scope: zone\n");
  }

  private List<String> runsUntil(Instant end) throws Exception {
    List<String> steps = new ArrayList<>();
    for (Instant now = MONDAY; now.isBefore(end); now = now.plus(Duration.ofHours(3))) {
      PromotionDecision decision = fleet.decided(now);
      if (decision.step() != Step.WAIT && decision.step() != Step.NONE) {
        steps.add(now + " " + decision.step() + " " + decision.reason());
      }
    }
    return steps;
  }

  @Test
  void atEachStageTheFileSaysWhereTheLimitIsEnforced() throws Exception {
    fleet.run(MONDAY);
    fleet.run(after("P7D"));
    assertThat(fleet.text())
        .contains("    limits: { 'a1': 1000/s }\n", "    limit: 2000/s\n", "candidate: 1000/s\n")
        .contains("stage: zone, places: ['a1'], peak: 780/s }\n");

    fleet.run(after("P7DT30M"));
    assertThat(fleet.text())
        .contains("    limits: { 'a1': 1000/s, 'a2': 1000/s }\n", "    limit: 2000/s\n")
        .contains("stage: region, places: ['a1', 'a2'], peak: 780/s }\n");

    fleet.run(after("P7DT1H"));
    assertThat(fleet.text())
        .contains("    limit: 1000/s\n", "stage: global, formerLimit: 2000/s, peak: 780/s }\n")
        .doesNotContain("limits:", "candidate:");
  }

  @Test
  void onlyWhatHappensWhereTheLimitIsEnforcedCounts() throws Exception {
    fleet.run(MONDAY);
    fleet.run(after("P7D"));
    fleet.dropped("checkout", constant(500)).dropped("checkout@a2", constant(500));
    fleet.asked();

    assertThat(fleet.decided(after("P7DT30M")).step()).isEqualTo(Step.PROMOTE);
    assertThat(fleet.asked()).contains("checkout@a1 DROPPED").doesNotContain("checkout DROPPED");
  }

  @Test
  void aZoneThatDropsTooMuchGetsTheLimitOfTheOthersBack() throws Exception {
    fleet.run(MONDAY);
    fleet.run(after("P7D"));
    fleet.dropped("checkout@a1", constant(40));

    PromotionDecision decision = fleet.decided(after("P7DT5M"));

    assertThat(decision.step()).isEqualTo(Step.STEP_BACK);
    assertThat(decision.reason())
        .isEqualTo(
            "back to 2000/s in a1: 1000/s dropped 5.1 % of the calls (expected: 1 % at most)");
    assertThat(fleet.text())
        .contains("limit: 2000/s\n", "candidate: 1000/s\n", "stage: shadow }")
        .doesNotContain("limits:");
  }

  @Test
  void oneZoneOfTheRegionIsEnoughToGoBack() throws Exception {
    fleet.run(MONDAY);
    fleet.run(after("P7D"));
    fleet.run(after("P7DT30M"));
    fleet.dropped("checkout@a2", constant(40));

    assertThat(fleet.decided(after("P7DT40M")).step()).isEqualTo(Step.STEP_BACK);
    assertThat(fleet.text()).doesNotContain("limits:");
  }

  @Test
  void whatWouldBeDroppedElsewhereKeepsTheLimitWhereItIs() throws Exception {
    fleet.run(MONDAY);
    fleet.run(after("P7D"));
    fleet.wouldDrop("checkout.candidate", constant(1));

    PromotionDecision decision = fleet.decided(after("P7DT1H"));

    assertThat(decision.step()).isEqualTo(Step.WAIT);
    assertThat(decision.reason()).isEqualTo("would drop 0.1282 % >= 0.0100 %");
  }

  @Test
  void whereNoCallsAreElsewhereThePlacesSpeakForAll() throws Exception {
    fleet.run(MONDAY);
    fleet.run(after("P7D"));
    fleet.offered("checkout.candidate", constant(0));

    assertThat(fleet.decided(after("P7DT30M")).step()).isEqualTo(Step.PROMOTE);
  }

  @Test
  void anotherCandidateTakesTheLimitOutOfThePlaces() throws Exception {
    fleet.run(MONDAY);
    fleet.run(after("P7D"));
    Files.writeString(fleet.file(), fleet.text().replace("candidate: 1000/s", "candidate: 900/s"));

    assertThat(fleet.decided(after("P7DT10M")).step()).isEqualTo(Step.START);
    assertThat(fleet.text())
        .contains("trial: { of: 900/s, since: 2026-03-09T00:10:00Z, stage: shadow }")
        .doesNotContain("limits:");
  }

  @Test
  void limitsThatPeopleHaveSetForPlacesStay() throws Exception {
    fleet
        .rule("limit: 2000/s", "candidate: 1000/s", "limits: { a1: 50/s, b1: 70/s }", "scope: zone")
        .run(MONDAY);
    fleet.run(after("P7D"));
    assertThat(fleet.text())
        .contains("limits: { a1: 50/s, b1: 70/s, 'a2': 1000/s }", "stage: zone, places: ['a2']");

    fleet.run(after("P7DT30M"));
    fleet.run(after("P7DT1H"));
    assertThat(fleet.text())
        .contains("limit: 1000/s\n", "limits: { a1: 50/s, b1: 70/s }\n")
        .doesNotContain("trial");
  }

  @Test
  void aPlaceThatPeopleChangeMeanwhileIsTheirs() throws Exception {
    fleet.run(MONDAY);
    fleet.run(after("P7D"));
    Files.writeString(fleet.file(), fleet.text().replace("'a1': 1000/s", "'a1': 1200/s"));

    runsUntil(after("P8D"));
    assertThat(fleet.text()).contains("limit: 1000/s\n", "limits: { 'a1': 1200/s }\n");
  }

  @Test
  void aLimitOfEachRegionGoesToARegionFirst() throws Exception {
    fleet.rule("limit: 2000/s", "candidate: 1000/s", "scope: region");

    assertThat(runsUntil(after("P8D")))
        .containsExactly(
            "2026-03-02T00:00:00Z start on trial: 1000/s",
            "2026-03-09T00:00:00Z promote 2000/s -> 1000/s, enforced in a: 7.0 days, would drop 0 %,"
                + " peak/limit 0.78",
            "2026-03-09T03:00:00Z promote 2000/s -> 1000/s, enforced everywhere: dropped 0 % in a",
            "2026-03-09T06:00:00Z finish 1000/s stays");
    assertThat(fleet.asked()).contains("checkout@a DROPPED").doesNotContain("checkout@a1 DROPPED");
  }

  @Test
  void withoutAFirstRegionALimitGoesEverywhereAtOnce() throws Exception {
    fleet.promotion("soak: 10m").run(MONDAY);

    assertThat(fleet.decided(after("P7D")).reason()).contains("enforced everywhere");
    assertThat(fleet.decided(after("P7DT10M")).step()).isEqualTo(Step.FINISH);
  }
}
