package io.headgate.agent;

import static io.headgate.agent.Samples.rule;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.core.shed.Directive;
import io.headgate.fixtures.FakeAggregators;
import io.headgate.protocol.RuleMessages;
import io.headgate.protocol.v1.AgentHello;
import io.headgate.protocol.v1.AgentMessage;
import io.headgate.protocol.v1.Directives;
import io.headgate.protocol.v1.Rules;
import java.util.List;
import org.junit.jupiter.api.Test;

class SessionTest {

  private static final String A = "10.0.0.1:7070";
  private static final String B = "10.0.0.2:7070";
  private static final List<String> ORDER = AgentFixture.preferred(A, B);
  private static final String FIRST = ORDER.get(0);
  private static final String SECOND = ORDER.get(1);

  private final AgentFixture fixture = new AgentFixture();

  private FakeAggregators.Stream stream() {
    return fixture.aggregators.last();
  }

  private static Directives.Builder drop(long configVersion, double accept) {
    return Directives.newBuilder()
        .setConfigVersion(configVersion)
        .setTtlMillis(5_000)
        .addBucket(1)
        .addLevel(3)
        .addAccept(Directive.accept(accept));
  }

  private static double dropRatio(HeadgateAgent agent) {
    return agent.bucketCounts().get(0).dropRatio();
  }

  @Test
  void aStreamBeginsWithAHelloToTheFirstChoice() {
    HeadgateAgent agent = fixture.start(A, B);

    assertThat(fixture.aggregators.addresses()).containsExactly(FIRST);
    AgentHello hello = stream().received().get(0).getHello();
    assertThat(hello.getClientId()).isEqualTo(AgentFixture.CLIENT);
    assertThat(hello.getEpoch()).isEqualTo(42);
    assertThat(hello.getService()).isEqualTo("payments");
    assertThat(hello.getRegion()).isEqualTo("eu");
    assertThat(hello.getZone()).isEqualTo("eu-1");
    assertThat(agent.status().aggregator()).isEmpty();
    stream().send(Rules.newBuilder());
    assertThat(agent.status().aggregator()).isEqualTo(FIRST);
  }

  @Test
  void withoutAggregatorsItStandsAloneAndEverythingPasses() {
    HeadgateAgent agent = fixture.start();

    fixture.after(60);

    assertThat(agent.gate("checkout", "Charge").judge()).isSameAs(Verdict.ADMITTED);
    assertThat(fixture.aggregators.streams()).isEmpty();
    agent.close();
  }

  @Test
  void theFirstGateToAServiceAsksForItsRules() {
    HeadgateAgent agent = fixture.start(A);
    agent.gate("checkout", "Charge");
    agent.gate("search", "payments", "Find");
    agent.gate("search", "payments", "Suggest");

    fixture.loop.run();

    assertThat(stream().received())
        .filteredOn(AgentMessage::hasSubscribe)
        .flatExtracting(message -> message.getSubscribe().getServiceList())
        .containsExactly("payments", "search");
  }

  @Test
  void aNewStreamAsksForAllRulesAtOnce() {
    HeadgateAgent agent = fixture.start(A);
    agent.gate("checkout", "Charge");
    agent.gate("search", "payments", "Find");
    stream().lose("test");

    fixture.after(0.1);

    assertThat(fixture.aggregators.streams()).hasSize(2);
    assertThat(stream().received().get(1).getSubscribe().getServiceList())
        .containsExactlyInAnyOrder("payments", "search");
  }

  @Test
  void afterAFailureTheNextChoiceIsTried() {
    fixture.aggregators.down(FIRST);
    fixture.start(A, B);

    fixture.after(0.2);

    assertThat(fixture.aggregators.addresses()).containsExactly(FIRST, SECOND);
  }

  @Test
  void attemptsBecomeRareWhileNothingAnswers() {
    fixture.aggregators.down(A);
    fixture.aggregators.down(B);
    fixture.start(A, B);

    fixture.after(60);

    // Waits of 2.5 s on average once the bound has grown to 5 s, and some short ones before.
    assertThat(fixture.aggregators.streams()).hasSizeBetween(15, 45);
    fixture.aggregators.up(A);
    fixture.aggregators.up(B);
    int refused = fixture.aggregators.streams().size();
    fixture.after(5);
    assertThat(fixture.aggregators.streams()).hasSizeGreaterThan(refused);
  }

  @Test
  void aSilentAggregatorIsLeft() {
    fixture.start(A, B);
    fixture.afterHearing(10);
    assertThat(fixture.aggregators.addresses()).containsExactly(FIRST);

    fixture.after(2.9);
    assertThat(fixture.aggregators.addresses()).containsExactly(FIRST);
    FakeAggregators.Stream silent = stream();
    fixture.after(0.3);

    assertThat(silent.isClosed()).isTrue();
    assertThat(silent.received().get(silent.received().size() - 1).hasGoodbye()).isTrue();
    assertThat(fixture.aggregators.addresses()).containsExactly(FIRST, SECOND);
  }

  @Test
  void itMovesBackToTheFirstChoiceOnceThatAnswers() {
    fixture.aggregators.down(FIRST);
    HeadgateAgent agent = fixture.start(A, B);
    fixture.after(0.2);
    FakeAggregators.Stream second = stream();
    assertThat(second.address()).isEqualTo(SECOND);
    fixture.aggregators.up(FIRST);

    while (fixture.aggregators.last() == second) {
      fixture.after(1);
      second.send(Directives.newBuilder());
    }
    FakeAggregators.Stream first = stream();
    assertThat(first.address()).isEqualTo(FIRST);
    assertThat(second.isClosed()).isFalse();
    assertThat(first.reports()).isEmpty();

    first.send(Rules.newBuilder());
    fixture.after(0.3);

    assertThat(agent.status().aggregator()).isEqualTo(FIRST);
    assertThat(second.isClosed()).isTrue();
    assertThat(second.received().get(second.received().size() - 1).hasGoodbye()).isTrue();
    assertThat(first.reports()).hasSize(1);
  }

  @Test
  void itStaysWhereItIsWhileTheFirstChoiceIsSilent() {
    fixture.aggregators.down(FIRST);
    HeadgateAgent agent = fixture.start(A, B);
    fixture.after(0.2);
    FakeAggregators.Stream second = stream();
    fixture.aggregators.up(FIRST);

    for (int i = 0; i < 200; i++) {
      fixture.after(1);
      second.send(Directives.newBuilder());
    }

    assertThat(second.isClosed()).isFalse();
    assertThat(agent.status().aggregator()).isEqualTo(SECOND);
    assertThat(fixture.aggregators.streams()).hasSizeBetween(5, 9);
    assertThat(fixture.aggregators.streams().subList(2, fixture.aggregators.streams().size() - 1))
        .allMatch(stream -> stream.address().equals(FIRST) && stream.isClosed());
  }

  @Test
  void directivesStayInForceOverAReconnect() {
    HeadgateAgent agent = fixture.start(A, B);
    agent.gate("checkout", "Charge");
    stream().send(AgentFixture.rules(3, rule("all").build()));
    fixture.afterHearing(2);
    stream().send(drop(3, 0.25));
    assertThat(dropRatio(agent)).isEqualTo(0.75);
    stream().lose("test");

    fixture.after(0.5);
    stream().send(Directives.newBuilder().setConfigVersion(3).setTtlMillis(5_000));
    fixture.after(1);
    assertThat(dropRatio(agent)).isEqualTo(0.75);

    stream().send(drop(3, 0.5));
    assertThat(dropRatio(agent)).isEqualTo(0.5);
  }

  @Test
  void directivesForEarlierRulesAreIgnored() {
    HeadgateAgent agent = fixture.start(A);
    agent.gate("checkout", "Charge");
    stream().send(AgentFixture.rules(3, rule("all").build()));
    fixture.afterHearing(2);

    stream().send(drop(2, 0.25));
    assertThat(dropRatio(agent)).isZero();

    stream().send(drop(4, 0.25));
    assertThat(dropRatio(agent)).isEqualTo(0.75);
  }

  @Test
  void whenEarlierRulesAreAdoptedItAsksForAllDirectivesAnew() {
    HeadgateAgent agent = fixture.start(A);
    agent.gate("checkout", "Charge");
    stream().send(AgentFixture.rules(3, rule("all").build()));
    fixture.afterHearing(2);
    FakeAggregators.Stream before = stream();
    before.send(AgentFixture.rules(2, rule("all").limit(7).build()));
    for (int i = 0; i < 6; i++) {
      fixture.after(1);
      before.send(drop(2, 0.25));
    }

    assertThat(agent.status().configVersion()).isEqualTo(2);
    assertThat(before.isClosed()).isTrue();
    assertThat(fixture.aggregators.streams()).hasSize(2);
    fixture.after(1);
    stream().send(drop(2, 0.25));
    assertThat(dropRatio(agent)).isEqualTo(0.75);
  }

  @Test
  void messagesThatMakeNoSenseAreCountedAndLeftOut() {
    HeadgateAgent agent = fixture.start(A);
    agent.gate("checkout", "Charge");
    stream().send(AgentFixture.rules(3, rule("all").build()));
    Rules.Builder broken = AgentFixture.rules(4, rule("all").build()).toBuilder();
    broken.getServiceBuilder(0).getRuleBuilder(0).setName("");

    stream().send(broken);
    stream().send(Directives.newBuilder().setConfigVersion(3).addBucket(1).addLevel(99));

    assertThat(agent.status().refusedMessages()).isEqualTo(2);
    assertThat(agent.status().configVersion()).isEqualTo(3);
    assertThat(stream().isClosed()).isFalse();
  }

  @Test
  void rulesOfServicesThatWereNotAskedForAreNotKept() {
    HeadgateAgent agent = fixture.start(A);

    stream().send(RuleMessages.all(Samples.ruleSet(3, rule("all").build())));

    assertThat(agent.status().buckets()).isZero();
    assertThat(agent.status().gates()).isZero();
  }

  @Test
  void closingSendsTheLastCountsAndAGoodbye() {
    HeadgateAgent agent = fixture.start(A);
    Gate gate = agent.gate("checkout", "Charge");
    stream().send(AgentFixture.rules(3, rule("all").build()));
    fixture.afterHearing(2);
    FakeAggregators.Stream stream = stream();
    gate.judge();
    gate.judge();

    agent.close();

    List<AgentMessage> last =
        stream.received().subList(stream.received().size() - 2, stream.received().size());
    assertThat(last.get(0).getReport().getOfferedList()).containsExactly(2L);
    assertThat(last.get(1).hasGoodbye()).isTrue();
    assertThat(stream.isClosed()).isTrue();
    fixture.after(60);
    assertThat(fixture.aggregators.streams()).hasSize(1);
  }

  @Test
  void afterClosingEverythingPasses() {
    HeadgateAgent agent = fixture.start(A);
    Gate gate = agent.gate("checkout", "Charge");
    stream().send(AgentFixture.rules(3, rule("all").build()));
    fixture.afterHearing(2);
    stream().send(drop(3, 0));
    assertThat(gate.judge().admitted()).isFalse();

    agent.close();

    assertThat(gate.judge().admitted()).isTrue();
  }

  @Test
  void rulesThatChangeAgainAndAgainDoNotUseUpTheNumbersOfAStream() {
    HeadgateAgent agent = fixture.start(A);
    for (int i = 0; i < 4_000; i++) {
      agent.gate("caller-" + i, "Charge");
    }

    for (int version = 1; version <= 7; version++) {
      stream().send(AgentFixture.rules(version, rule("rule-" + version).perCaller().build()));
      fixture.afterHearing(3);
    }

    assertThat(fixture.aggregators.streams()).hasSize(2);
    assertThat(fixture.aggregators.streams().get(0).isClosed()).isTrue();
    assertThat(stream().isReady()).isTrue();
  }

  @Test
  void closingWaitsForAStreamThatIsNotReadyYet() {
    HeadgateAgent agent = fixture.start(A);
    agent.gate("checkout", "Charge");
    stream().send(AgentFixture.rules(3, rule("all").build()));
    fixture.afterHearing(1);
    stream().ready(false);
    agent.gate("checkout", "Charge").judge();

    agent.close();
    assertThat(stream().isClosed()).isFalse();
    stream().ready(true);

    assertThat(stream().isClosed()).isTrue();
    assertThat(stream().lastReport().getOfferedList()).containsExactly(1L);
  }

  @Test
  void closingLooksForAnAggregatorThatTakesTheLastCounts() {
    fixture.aggregators.down(FIRST);
    HeadgateAgent agent = fixture.start(A, B);

    agent.close();
    fixture.after(0.2);

    assertThat(stream().address()).isEqualTo(SECOND);
    assertThat(stream().reports()).hasSize(1);
    assertThat(stream().isClosed()).isTrue();
  }

  @Test
  void closingGivesUpAfterTwoSeconds() {
    fixture.aggregators.down(A);
    HeadgateAgent agent = fixture.start(A);
    agent.close();
    fixture.after(2);
    int attempts = fixture.aggregators.streams().size();

    fixture.aggregators.up(A);
    fixture.after(60);

    assertThat(fixture.aggregators.streams()).hasSize(attempts);
    agent.close();
  }
}
