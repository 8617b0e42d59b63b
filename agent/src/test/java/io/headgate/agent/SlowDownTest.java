package io.headgate.agent;

import static io.headgate.agent.Samples.rule;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.protocol.v1.Directives;
import io.headgate.protocol.v1.Report;
import org.junit.jupiter.api.Test;

/** An agent that reports at once when demand moves, and is asked to slow down. */
class SlowDownTest {

  private final AgentFixture fixture = new AgentFixture();
  private final HeadgateAgent agent = fixture.builder("10.0.0.1:7070").urgentReports(true).build();
  private final Gate gate;

  SlowDownTest() {
    fixture.loop.run();
    gate = agent.gate("checkout", "Charge");
    fixture.aggregators.last().send(AgentFixture.rules(1, rule("all").build()));
  }

  private void offer(int looks, int each) {
    for (int look = 0; look < looks; look++) {
      fixture.after(0.025);
      for (int i = 0; i < each; i++) {
        gate.judge();
      }
      if (look % 40 == 0) {
        fixture.aggregators.last().send(Directives.newBuilder());
      }
    }
  }

  private long urgent() {
    return fixture.aggregators.last().reports().stream().filter(Report::getUrgent).count();
  }

  @Test
  void whatMovesIsReportedAtOnceAgainWhenItIsOver() {
    offer(200, 10);
    fixture.aggregators.last().slowDown(2_000);
    long before = urgent();
    offer(400, 100);
    assertThat(urgent()).isEqualTo(before);

    fixture.aggregators.last().slowDown(0);
    offer(200, 100);
    before = urgent();
    offer(8, 10);
    assertThat(urgent()).isGreaterThan(before);
  }
}
