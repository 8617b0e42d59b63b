package io.headgate.agent;

import io.headgate.core.rule.Rule;
import io.headgate.fixtures.FakeAggregators;
import io.headgate.fixtures.VirtualLoop;
import io.headgate.protocol.RuleMessages;
import io.headgate.protocol.v1.Directives;
import io.headgate.protocol.v1.Rules;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** An agent in virtual time with aggregators that a test speaks for. */
final class AgentFixture {

  static final String CLIENT = "payments-host-1";

  final VirtualLoop loop = new VirtualLoop();
  final FakeAggregators aggregators = new FakeAggregators(loop);

  HeadgateAgentBuilder builder(String... addresses) {
    return HeadgateAgent.builder()
        .service("payments")
        .region("eu")
        .zone("eu-1")
        .clientId(CLIENT)
        .epoch(42)
        .aggregators(addresses)
        .eventLoop(loop)
        .connector(aggregators)
        .random(new SplittableRandom(7))
        .urgentReports(false)
        .stratifiedBelow(0)
        .draws(() -> Samples.draw(0.5));
  }

  HeadgateAgent start(String... addresses) {
    HeadgateAgent agent = builder(addresses).build();
    loop.run();
    return agent;
  }

  /** The addresses in the order in which the agent prefers them. */
  static List<String> preferred(String... addresses) {
    return Rendezvous.order(CLIENT, List.of(addresses));
  }

  static Rules rules(long version, Rule... rules) {
    return RuleMessages.all(Samples.ruleSet(version, rules));
  }

  void after(double seconds) {
    loop.run(Duration.ofMillis(Math.round(1_000 * seconds)));
  }

  /** Lets time pass while the last stream's aggregator says each second that it is there. */
  void afterHearing(int seconds) {
    for (int second = 0; second < seconds; second++) {
      after(1);
      aggregators.last().send(Directives.newBuilder());
    }
  }
}
