package io.headgate.agent;

import static io.headgate.agent.Samples.rule;
import static io.headgate.agent.Samples.ruleSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.core.rule.ServiceRules;
import io.headgate.core.shed.Directive;
import io.headgate.fixtures.FakeAggregators;
import io.headgate.fixtures.VirtualLoop;
import io.headgate.protocol.RuleMessages;
import io.headgate.protocol.v1.Directives;
import io.headgate.protocol.v1.Report;
import io.headgate.protocol.v1.Rules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RelayAgentTest {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final VirtualLoop loop = new VirtualLoop();
  private final FakeAggregators aggregators = new FakeAggregators(loop);
  private final List<ServiceRules> newRules = new ArrayList<>();
  private int changes;

  private final RelayAgent agent =
      HeadgateAgent.builder()
          .service("payments")
          .region("eu")
          .zone("eu-1")
          .clientId("proxy-1")
          .aggregators("in this process")
          .eventLoop(loop)
          .connector(aggregators)
          .random(new SplittableRandom(1))
          .maxGates(3)
          .buildRelay(
              new RelayAgent.Listener() {
                @Override
                public void directivesChanged() {
                  changes++;
                }

                @Override
                public void rulesChanged(ServiceRules rules) {
                  newRules.add(rules);
                }
              });

  private Gate begin() {
    agent.start();
    Gate gate = agent.gate("payments", "checkout", "Charge");
    loop.run();
    aggregators.last().send(rules());
    return gate;
  }

  private static Rules rules() {
    return RuleMessages.all(ruleSet(1, rule("all").build()));
  }

  private List<Report> reports() {
    return aggregators.last().reports();
  }

  @Test
  void itReportsOnlyWhenAStretchOfTimeIsCounted() {
    Gate gate = begin();
    loop.run(Duration.ofSeconds(2));
    agent.buckets(gate).get(0).count(70, 30, 0);
    assertThat(reports()).isEmpty();

    agent.report(SECOND);

    assertThat(reports()).hasSize(1);
    Report report = reports().get(0);
    assertThat(report.getElapsedNanos()).isEqualTo(SECOND);
    assertThat(report.getConfigVersion()).isEqualTo(1);
    assertThat(report.getOfferedList()).containsExactly(100L);
    assertThat(report.getDroppedList()).containsExactly(30L);
    assertThat(report.getLevelCount()).isZero();
  }

  @Test
  void itAsksWhatIsInForceBeforeThereIsAnythingToReport() {
    Gate gate = begin();
    assertThat(aggregators.last().definitions()).isEmpty();

    agent.ask();
    agent.ask();

    assertThat(aggregators.last().definitions()).extracting("rule").containsExactly("all");
    assertThat(reports()).isEmpty();
    aggregators.last().send(drop(0.75));
    assertThat(agent.buckets(gate).get(0).dropRatio()).isCloseTo(0.25, within(1e-6));
  }

  @Test
  void itAsksAgainOnANewStream() {
    begin();
    agent.ask();
    aggregators.last().lose("connection lost");
    loop.run(Duration.ofSeconds(1));

    assertThat(aggregators.streams()).hasSize(2);
    assertThat(aggregators.last().definitions()).extracting("rule").containsExactly("all");
    assertThat(reports()).isEmpty();
  }

  @Test
  void countsThatCannotBeSentGoIntoTheNextReportOverTheWholeTime() {
    Gate gate = begin();
    aggregators.last().ready(false);
    agent.buckets(gate).get(0).count(10, 0, 0);
    agent.report(SECOND);
    agent.buckets(gate).get(0).count(20, 0, 0);
    agent.report(SECOND);
    assertThat(reports()).isEmpty();

    aggregators.last().ready(true);

    assertThat(reports()).hasSize(1);
    assertThat(reports().get(0).getOfferedList()).containsExactly(30L);
    assertThat(reports().get(0).getElapsedNanos()).isEqualTo(2 * SECOND);
  }

  @Test
  void aReportIsUrgentWhenDemandHasMovedByMoreThanNoise() {
    Gate gate = begin();
    for (int second = 0; second < 10; second++) {
      agent.buckets(gate).get(0).count(1_000, 0, 0);
      agent.report(SECOND);
    }
    assertThat(reports().get(reports().size() - 1).getUrgent()).isFalse();

    agent.buckets(gate).get(0).count(3_000, 0, 0);
    agent.report(SECOND);

    assertThat(reports().get(reports().size() - 1).getUrgent()).isTrue();
  }

  @Test
  void toldToSlowDownItReportsTheCountsOfSeveralStretchesTogether() {
    Gate gate = begin();
    aggregators.last().slowDown(3_000);
    for (int second = 0; second < 6; second++) {
      agent.buckets(gate).get(0).count(10, 0, 0);
      agent.report(SECOND);
    }

    assertThat(reports()).extracting(Report::getElapsedNanos).containsOnly(3 * SECOND);
    assertThat(reports()).hasSize(2);
  }

  @Test
  void itTellsOfDirectivesThatHaveChangedAndOfNoOthers() {
    Gate gate = begin();
    agent.report(SECOND);
    aggregators.last().send(drop(0.75));
    assertThat(changes).isEqualTo(1);
    assertThat(agent.buckets(gate).get(0).dropRatio()).isCloseTo(0.25, within(1e-6));

    aggregators.last().send(drop(0.75));
    assertThat(changes).isEqualTo(1);

    aggregators.last().send(drop(0.5));
    assertThat(changes).isEqualTo(2);
  }

  @Test
  void withoutTheControlPlaneDropRatiosFallToZero() {
    Gate gate = begin();
    agent.report(SECOND);
    aggregators.last().send(drop(0.5));

    loop.run(Duration.ofSeconds(10));
    assertThat(agent.buckets(gate).get(0).dropRatio()).isBetween(0.2, 0.3);
    loop.run(Duration.ofSeconds(6));
    assertThat(agent.buckets(gate).get(0).dropRatio()).isZero();
    assertThat(changes).isGreaterThan(50);
  }

  private static Directives.Builder drop(double accept) {
    return Directives.newBuilder()
        .setConfigVersion(1)
        .setTtlMillis(5_000)
        .addBucket(1)
        .addLevel(3)
        .addAccept(Directive.accept(accept));
  }

  @Test
  void itTellsOfRulesOnce() {
    begin();
    aggregators.last().send(rules());

    assertThat(newRules).extracting(ServiceRules::service).containsExactly("payments");
  }

  @Test
  void gatesThatAreNotNeededMakeRoomForOthers() {
    begin();
    agent.gate("payments", "a", "Charge");
    agent.gate("payments", "b", "Charge");
    assertThat(agent.gate("payments", "c", "Charge").isOverflow()).isTrue();

    agent.retain(gate -> gate.caller().equals("checkout"));

    assertThat(agent.gate("payments", "c", "Charge").isOverflow()).isFalse();
    assertThat(agent.status().gates()).isEqualTo(2);
  }
}
