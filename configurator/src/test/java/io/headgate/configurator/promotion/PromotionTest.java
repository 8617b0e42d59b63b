package io.headgate.configurator.promotion;

import static io.headgate.configurator.promotion.Fleet.MONDAY;
import static io.headgate.configurator.promotion.Fleet.after;
import static io.headgate.configurator.promotion.Fleet.constant;
import static io.headgate.configurator.promotion.Fleet.from;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.configurator.plan.LimitDecision;
import io.headgate.configurator.plan.LimitPlanner;
import io.headgate.configurator.source.SourceException;
import io.headgate.control.rules.repository.RuleFiles;
import io.headgate.core.rule.Behavior;
import io.headgate.core.rule.Rate;
import io.headgate.core.rule.RuleSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Single transitions of a rule whose limit counts everywhere together. */
class PromotionTest {

  private static final String ON_TRIAL =
      "trial: { of: 1000/s, since: 2026-03-02T00:00:00Z, stage: shadow }";

  @TempDir private Path directory;
  private Fleet fleet;

  @BeforeEach
  void aCandidateOfWhichNothingWouldBeDropped() throws IOException {
    fleet = new Fleet(directory).steady(780).rule("limit: 2000/s", "candidate: 1000/s");
  }

  private Fleet onTrial() throws IOException {
    return fleet.rule("limit: 2000/s", "candidate: 1000/s", ON_TRIAL);
  }

  @Test
  void theFirstRunThatSeesACandidateNotesWhen() throws Exception {
    PromotionDecision decision = fleet.decided(MONDAY);

    assertThat(decision.step()).isEqualTo(Step.START);
    assertThat(fleet.text()).contains("    candidate: 1000/s\n    " + ON_TRIAL + "\n");
  }

  @Test
  void aCandidateIsEnforcedAfterItsDays() throws Exception {
    onTrial();
    PromotionDecision before = fleet.decided(after("P7D").minusSeconds(300));
    assertThat(before.step()).isEqualTo(Step.WAIT);
    assertThat(before.reason()).isEqualTo("6.9 of 7 days");
    assertThat(before.wouldDropShare()).isZero();

    PromotionDecision decision = fleet.decided(after("P7D"));

    assertThat(decision.step()).isEqualTo(Step.PROMOTE);
    assertThat(decision.reason())
        .isEqualTo(
            "2000/s -> 1000/s, enforced everywhere: 7.0 days, would drop 0 %, peak/limit 0.78");
    assertThat(fleet.text())
        .isEqualTo(
            """
            service: payments
            rules:
              - name: checkout
                limit: 1000/s
                trial: { of: 1000/s, since: 2026-03-09T00:00:00Z, stage: global, formerLimit: 2000/s, peak: 780/s }
            """);
  }

  @Test
  void whatIsEnforcedAndStaysSoIsOnTrialNoMore() throws Exception {
    onTrial().run(after("P7D"));

    PromotionDecision soaking = fleet.decided(after("P7DT25M"));
    assertThat(soaking.step()).isEqualTo(Step.WAIT);
    assertThat(soaking.reason()).isEqualTo("soak 25 of 30 min");

    assertThat(fleet.decided(after("P7DT30M")).step()).isEqualTo(Step.FINISH);
    assertThat(fleet.text())
        .isEqualTo("service: payments\nrules:\n  - name: checkout\n    limit: 1000/s\n");
    assertThat(fleet.decided(after("P8D")).step()).isEqualTo(Step.NONE);
  }

  @Test
  void aTrialWaitsForWhatIsMissing() throws Exception {
    onTrial().wouldDrop("checkout.candidate", constant(0.2));
    assertThat(fleet.decided(after("P9D")).reason()).isEqualTo("would drop 0.0256 % >= 0.0100 %");

    fleet.steady(900);
    assertThat(fleet.decided(after("P9D")).reason()).isEqualTo("peak/limit 0.900 > 0.85");

    fleet.steady(780).offered("checkout.candidate", from(after("P2D"), 780));
    fleet.wouldDrop("checkout.candidate", s -> s < after("P4D").getEpochSecond() ? Double.NaN : 0);
    assertThat(fleet.decided(after("P9D")).reason()).isEqualTo("known 71.4 % < 99 %");

    fleet.steady(0);
    assertThat(fleet.decided(after("P9D")).reason()).isEqualTo("calls");
    assertThat(fleet.text()).contains(ON_TRIAL);
  }

  /** What would have been dropped longer ago than the days of a trial has had its time. */
  @Test
  void onlyTheLastDaysCount() throws Exception {
    Instant second = after("P1D");
    onTrial().wouldDrop("checkout.candidate", s -> s < second.getEpochSecond() ? 100 : 0);

    assertThat(fleet.decided(after("P7D")).reason()).startsWith("would drop");
    assertThat(fleet.decided(after("P8D")).step()).isEqualTo(Step.PROMOTE);
  }

  @Test
  void anIncidentIsNoTimeOfATrial() throws Exception {
    Files.writeString(
        directory.resolve("calendar.yaml"),
        """
        windows:
          - { kind: incident, from: 2026-03-04T00:00:00Z, to: 2026-03-06T00:00:00Z, rule: checkout }
        """);
    Instant begin = after("P2D");
    Instant end = after("P4D");
    onTrial()
        .config("calendar: calendar.yaml\n")
        .wouldDrop(
            "checkout.candidate",
            s -> s >= begin.getEpochSecond() && s < end.getEpochSecond() ? 500 : 0);

    assertThat(fleet.decided(after("P7D")).reason()).isEqualTo("5.0 of 7 days");
    assertThat(fleet.decided(after("P9D")).step()).isEqualTo(Step.PROMOTE);
  }

  @Test
  void anotherCandidateBeginsAnew() throws Exception {
    fleet.rule("limit: 2000/s", "candidate: 1100/s", ON_TRIAL);

    PromotionDecision decision = fleet.decided(after("P7D"));

    assertThat(decision.step()).isEqualTo(Step.START);
    assertThat(decision.reason()).isEqualTo("it is not 1000/s any more; on trial: 1100/s");
    assertThat(fleet.text())
        .contains("trial: { of: 1100/s, since: 2026-03-09T00:00:00Z, stage: shadow }");
  }

  @Test
  void aCandidateThatPeopleTakeAwayIsForgotten() throws Exception {
    fleet.rule("limit: 2000/s", ON_TRIAL);

    assertThat(fleet.decided(after("P7D")).step()).isEqualTo(Step.FORGET);
    assertThat(fleet.text()).doesNotContain("trial");
  }

  @Test
  void whatPeopleEnforceThemselvesIsOnTrialNoMore() throws Exception {
    fleet.rule("limit: 1000/s", ON_TRIAL);

    PromotionDecision decision = fleet.decided(after("P1D"));
    assertThat(decision.step()).isEqualTo(Step.FINISH);
    assertThat(decision.reason()).isEqualTo("1000/s is enforced by hand");
    assertThat(fleet.text()).doesNotContain("trial");
  }

  @Test
  void partsOfASecondAreNotNoted() throws Exception {
    fleet.run(MONDAY.plusNanos(1_234_567));
    assertThat(fleet.text()).contains(ON_TRIAL);
  }

  /** A service in a broken file has rules, though nobody can read them. */
  @Test
  void rulesWithMistakesAreNotDecidedOn() throws Exception {
    Files.writeString(fleet.file().resolveSibling("search.yaml"), "service: search\n");

    assertThatThrownBy(() -> fleet.look(MONDAY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("search.yaml:1:1: no rules");
  }

  @Test
  void aLimitThatDropsTooMuchGoesBackAndStaysOnTrial() throws Exception {
    onTrial().run(after("P7D"));
    fleet.dropped("checkout", constant(7.9));

    PromotionDecision decision = fleet.decided(after("P7DT10M"));

    assertThat(decision.step()).isEqualTo(Step.STEP_BACK);
    assertThat(decision.reason())
        .isEqualTo("back to 2000/s: 1000/s dropped 1.0 % of the calls (expected: 1 % at most)");
    assertThat(fleet.text())
        .contains("limit: 2000/s\n", "candidate: 1000/s\n")
        .contains("trial: { of: 1000/s, since: 2026-03-09T00:10:00Z, stage: shadow }");
    assertThat(fleet.decided(after("P14D")).reason()).isEqualTo("6.9 of 7 days");
  }

  @Test
  void aShareAtTheBoundIsNoReasonToGoBack() throws Exception {
    onTrial().run(after("P7D"));
    fleet.dropped("checkout", constant(7.8));

    assertThat(fleet.decided(after("P7DT30M")).step()).isEqualTo(Step.FINISH);
  }

  /** It is the length of the soak that counts, not how seldom somebody looks. */
  @Test
  void aBurstOfDropsIsFoundByARunADayLater() throws Exception {
    onTrial().run(after("P7D"));
    Instant begin = after("P7DT6H");
    Instant end = after("P7DT6H10M");
    fleet.dropped(
        "checkout", s -> s >= begin.getEpochSecond() && s < end.getEpochSecond() ? 100 : 0);

    assertThat(fleet.decided(after("P8D")).step()).isEqualTo(Step.STEP_BACK);
  }

  @Test
  void toDropASurgeIsWhatALimitIsFor() throws Exception {
    onTrial().run(after("P7D"));
    fleet.offered("checkout", constant(3000)).dropped("checkout", constant(2000));

    PromotionDecision surge = fleet.decided(after("P7DT1H"));
    assertThat(surge.step()).isEqualTo(Step.WAIT);
    assertThat(surge.reason()).startsWith("soak 0 of 30 min");

    Instant over = after("P7DT1H");
    fleet
        .offered("checkout", s -> s < over.getEpochSecond() ? 3000 : 780)
        .dropped("checkout", s -> s < over.getEpochSecond() ? 2000 : 0);
    assertThat(fleet.decided(after("P7DT90M")).step()).isEqualTo(Step.FINISH);
  }

  /** To go back to a lower limit would drop more. */
  @Test
  void aLimitThatWasRaisedDoesNotGoBack() throws Exception {
    fleet.rule("limit: 500/s", "candidate: 1000/s", ON_TRIAL).run(after("P7D"));
    fleet.dropped("checkout", constant(100));

    assertThat(fleet.decided(after("P7DT30M")).step()).isEqualTo(Step.FINISH);
    assertThat(fleet.text()).contains("limit: 1000/s");
  }

  @Test
  void dropsThatNobodyKnowsOfAreNoSoak() throws Exception {
    onTrial().run(after("P7D"));
    fleet.dropped("checkout", constant(Double.NaN));

    assertThat(fleet.decided(after("P8D")).reason()).startsWith("soak 0 of 30 min");
  }

  @Test
  void whatPeopleSetMeanwhileStays() throws Exception {
    onTrial().run(after("P7D"));
    Files.writeString(fleet.file(), fleet.text().replace("limit: 1000/s", "limit: 1500/s"));
    fleet.dropped("checkout", constant(100));

    assertThat(fleet.decided(after("P7DT10M")).step()).isEqualTo(Step.FORGET);
    assertThat(fleet.text()).contains("limit: 1500/s").doesNotContain("trial", "candidate");
  }

  @Test
  void aRuleInShadowIsEnforcedTheSameWayAndGoesBackTheSameWay() throws Exception {
    fleet.rule("limit: 1000/s", "behavior: allow").run(MONDAY);
    assertThat(fleet.text()).contains(ON_TRIAL);

    PromotionDecision decision = fleet.decided(after("P7D"));
    assertThat(decision.step()).isEqualTo(Step.PROMOTE);
    assertThat(decision.reason()).startsWith("1000/s in shadow -> 1000/s, enforced everywhere");
    assertThat(fleet.text())
        .contains("behavior: deny\n", "stage: global, formerBehavior: allow, peak: 780/s }");

    fleet.dropped("checkout", constant(20));
    PromotionDecision back = fleet.decided(after("P7DT10M"));
    assertThat(back.reason()).startsWith("back to 1000/s in shadow: ");
    assertThat(fleet.text())
        .contains("behavior: allow\n", "since: 2026-03-09T00:10:00Z, stage: shadow }");
  }

  @Test
  void theCandidateOfARuleInShadowTakesItsPlace() throws Exception {
    fleet.rule("limit: 100/s", "candidate: 1000/s", ON_TRIAL, "behavior: allow").run(after("P7D"));
    assertThat(fleet.text())
        .contains("limit: 1000/s", "behavior: deny", "formerLimit: 100/s, formerBehavior: allow")
        .doesNotContain("candidate");

    fleet.dropped("checkout", constant(20)).run(after("P7DT10M"));
    assertThat(fleet.text())
        .contains("    limit: 100/s\n    candidate: 1000/s\n", "behavior: allow\n");
  }

  @Test
  void aPinKeepsEverythingAsItIs() throws Exception {
    onTrial().config("pins: [{ rule: checkout, until: 2026-04-01T00:00:00Z, about: launch }]\n");

    assertThat(fleet.decided(after("P8D")).reason())
        .isEqualTo("pinned until 2026-04-01T00:00:00Z (launch)");
    assertThat(fleet.asked()).isEmpty();
  }

  @Test
  void peopleMayKeepTheStepToThemselves() throws Exception {
    fleet.promotion("automatic: off");
    assertThat(fleet.decided(MONDAY).reason()).isEqualTo("people: automatic is off");
    assertThat(fleet.text()).doesNotContain("trial");

    assertThat(onTrial().decided(after("P8D")).reason()).isEqualTo("people: automatic is off");
    assertThat(fleet.text()).contains("limit: 2000/s");
  }

  @Test
  void aSourceThatKnowsOnlyTheSumOfBucketsProvesNothingOfOne() throws Exception {
    fleet.knowsSums().rule("per: caller", "limit: 2000/s", "candidate: 1000/s", ON_TRIAL);

    assertThat(fleet.decided(after("P8D")).reason())
        .isEqualTo("people: the source knows the sum of the rule's buckets only");
  }

  @Test
  void aRateThatCannotBeReadIsNoDecisionAtAll() throws Exception {
    onTrial().down(true);
    String before = fleet.text();

    assertThatThrownBy(() -> fleet.run(after("P8D")))
        .isInstanceOf(SourceException.class)
        .hasMessage("nobody answers");
    assertThat(fleet.text()).isEqualTo(before);
  }

  @Test
  void rulesThatShouldBeThereBeginInShadowWithADefaultLimit() throws Exception {
    fleet
        .rule("limit: 5/s")
        .config(
            """
            newRules:
              limit: 100/s
              for:
                - { service: payments, caller: cart }
                - { service: payments, name: checkout, caller: other }
                - { service: search, caller: 'web-*', procedure: GET /find, limit: 50/s }
            """);

    Promotions promotions = fleet.run(MONDAY);

    assertThat(promotions.summary())
        .isEqualTo("0 promoted, 0 stepped back, 2 begin, 0 over, 0 wait");
    assertThat(fleet.text())
        .endsWith(
            """
              - name: cart
                match: { caller: cart }
                limit: 100/s
                trial: { of: 100/s, since: 2026-03-02T00:00:00Z, stage: shadow }
                scope: global
                behavior: allow
            """);
    assertThat(Files.readString(directory.resolve("rules/search.yaml")))
        .contains("name: web--GET-find", "limit: 50/s", "behavior: allow");
    fleet
        .offered("cart", constant(0))
        .wouldDrop("cart", constant(0))
        .offered("search/web--GET-find", constant(0))
        .wouldDrop("search/web--GET-find", constant(0));
    assertThat(fleet.run(after("PT1H")).isChange()).isFalse();
  }

  @Test
  void aServiceOfThreeDaysIsInShadowWithItsDefaultLimit() throws Exception {
    Instant begin = MONDAY;
    fleet
        .config("newRules: { limit: 100/s, for: [{ service: search, caller: web }] }\n")
        .rule("limit: 5/s")
        .offered("search/web", s -> s < begin.getEpochSecond() ? Double.NaN : 900)
        .wouldDrop("search/web", constant(800))
        .run(MONDAY);
    RuleFiles rules = fleet.repository().read();
    RuleSet ofSearch =
        RuleSet.of(
            1, rules.services().stream().filter(each -> each.service().equals("search")).toList());

    LimitDecision computed =
        new LimitPlanner(fleet.config(), 1)
            .plan(ofSearch, after("P3D"), done -> {})
            .decisions()
            .get(0);
    Promotions promotions = fleet.run(after("P3D"));

    assertThat(computed.isChange()).isFalse();
    assertThat(computed.reason()).isEqualTo("3.0 days of history (expected: 14 at least); kept");
    assertThat(promotions.isChange()).isFalse();
    assertThat(promotions.decisions().get(1).reason()).startsWith("3.0 of 7 days; would drop");
    assertThat(rules.rule("search", "web")).isNotNull();
    assertThat(rules.rule("search", "web").behavior()).isEqualTo(Behavior.ALLOW);
    assertThat(rules.rule("search", "web").limit()).isEqualTo(Rate.perSecond(100));
  }

  @Test
  void theSameDataGiveTheSameBytesAndASecondRunNothing() throws Exception {
    onTrial();
    String first = fleet.look(after("P7D")).change("a").toString();
    assertThat(fleet.look(after("P7D")).change("a").toString()).isEqualTo(first);

    fleet.run(after("P7D"));
    String written = fleet.text();
    assertThat(fleet.run(after("P7D")).isChange()).isFalse();
    assertThat(fleet.text()).isEqualTo(written);
  }

  @Test
  void theChangeSaysWhy() throws Exception {
    assertThat(onTrial().look(after("P7D")).change("a").message())
        .isEqualTo(
            """
            Limits on trial: 1 promoted, 0 stepped back, 0 begin, 0 over, 0 wait

            payments/checkout: 2000/s -> 1000/s, enforced everywhere: 7.0 days, would drop 0 %, peak/limit 0.78
            """);
  }

  /** As a process leaves it that dies before, or after, the moment of the change. */
  @Test
  void aRunThatDiesHasWrittenAllOrNothingAndTheNextOneGoesOn() throws Exception {
    onTrial();
    Path rules = fleet.file().getParent();
    String before = fleet.text();
    fleet.run(after("P7D"));
    String after = fleet.text();

    Files.writeString(fleet.file(), before);
    Path unfinished = Files.createDirectory(rules.resolve(".headgate-change.new"));
    Files.writeString(unfinished.resolve("payments.yaml"), after);
    assertThat(fleet.decided(after("P7D")).step()).isEqualTo(Step.PROMOTE);
    assertThat(fleet.text()).isEqualTo(after);

    Files.writeString(fleet.file(), before);
    Path made = Files.createDirectory(rules.resolve(".headgate-change"));
    Files.writeString(made.resolve("payments.yaml"), after);
    assertThat(fleet.decided(after("P7DT25M")).step()).isEqualTo(Step.WAIT);
    assertThat(fleet.decided(after("P7DT30M")).step()).isEqualTo(Step.FINISH);
    assertThat(fleet.text()).doesNotContain("trial").contains("limit: 1000/s");
  }
}
