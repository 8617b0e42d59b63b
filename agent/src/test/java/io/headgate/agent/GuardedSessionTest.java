package io.headgate.agent;

import static io.headgate.agent.Samples.rule;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.core.rule.Rule;
import io.headgate.core.rule.RuleOptions;
import io.headgate.core.shed.Directive;
import io.headgate.protocol.v1.Directives;
import org.junit.jupiter.api.Test;

/** The surge guard of a whole agent, which draws the middle of the range each time. */
class GuardedSessionTest {

  private final AgentFixture fixture = new AgentFixture();
  private final HeadgateAgent agent = fixture.start("10.0.0.1:7070");
  private final Gate gate = agent.gate("checkout", "Charge");

  private void rules(long version, RuleOptions options) {
    Rule rule = rule("all").options(options).build();
    fixture.aggregators.last().send(AgentFixture.rules(version, rule));
  }

  /** How many of so many requests in each 25 ms pass. */
  private int pass(int looks, int offeredEach) {
    int passed = 0;
    for (int look = 0; look < looks; look++) {
      fixture.after(0.025);
      for (int i = 0; i < offeredEach; i++) {
        passed += gate.judge().admitted() ? 1 : 0;
      }
      if (look % 40 == 0) {
        fixture.aggregators.last().send(inUse());
      }
    }
    return passed;
  }

  private static Directives.Builder inUse() {
    return Directives.newBuilder()
        .setConfigVersion(9)
        .setTtlMillis(5_000)
        .addBucket(1)
        .addLevel(Directive.IN_USE_LEVEL)
        .addAccept(Directive.accept(0.9));
  }

  @Test
  void aGuardHoldsASurgeBackUntilItIsJudgedAndEndsWithItsRule() {
    rules(1, RuleOptions.DEFAULT.withSurgeGuard(3));
    assertThat(pass(400, 10)).isEqualTo(4_000);

    // The first two looks of the surge pass; then 13 % do, and no draw of one half is among these.
    assertThat(pass(40, 250)).isBetween(250, 500);

    rules(2, RuleOptions.DEFAULT);
    assertThat(pass(2, 250)).isGreaterThanOrEqualTo(250);
    assertThat(pass(40, 250)).isEqualTo(10_000);
  }

  @Test
  void withoutAGuardASurgePasses() {
    rules(1, RuleOptions.DEFAULT);
    assertThat(pass(400, 10)).isEqualTo(4_000);

    assertThat(pass(40, 250)).isEqualTo(10_000);
  }
}
