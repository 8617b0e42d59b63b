package io.headgate.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.fixtures.FakeAggregators;
import io.headgate.fixtures.VirtualLoop;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeadgateAgentBuilderTest {

  private static HeadgateAgentBuilder valid() {
    return new AgentFixture().builder("localhost:7070");
  }

  private static void assertRefused(HeadgateAgentBuilder builder, String message) {
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void theServiceIsRequired() {
    assertRefused(
        HeadgateAgent.builder(),
        "service: null (expected: 1 to 128 printable ASCII characters without space or '|')");
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "localhost:", "localhost:http", ":7070", "h:0", "h:65536"})
  void anAddressNeedsAHostAndAPort(String address) {
    assertRefused(
        valid().aggregators(address),
        "aggregators: " + address + " (expected: host:port, such as 10.0.0.7:7070)");
  }

  @Test
  void settingsOutOfRangeAreNamedWithTheirValueAndRange() {
    assertRefused(
        valid().zone(""),
        "zone:  (expected: 1 to 128 printable ASCII characters without space or '|')");
    assertRefused(
        valid().clientId("käse"), "clientId: käse (expected: 1 to 128 printable ASCII characters)");
    assertRefused(
        valid().reportInterval(Duration.ZERO), "reportInterval: PT0S (expected: PT0.01S to PT1M)");
    assertRefused(
        valid().releaseRamp(Duration.ofSeconds(-1)), "releaseRamp: PT-1S (expected: PT0S to PT1H)");
    assertRefused(
        valid().retryAfter(Duration.ofDays(1)), "retryAfter: PT24H (expected: PT0S to PT1H)");
    assertRefused(valid().maxGates(-1), "maxGates: -1 (expected: 0 or more)");
  }

  @Test
  void anAgentKnowsItsServiceAndPlace() {
    HeadgateAgent agent = valid().build();

    assertThat(agent.service()).isEqualTo("payments");
    assertThat(agent.location().region()).isEqualTo("eu");
    assertThat(agent.location().zone()).isEqualTo("eu-1");
    assertThat(agent.gate("checkout", "Charge").service()).isEqualTo("payments");
    assertThat(agent.gate("search", "payments", "Find").service()).isEqualTo("search");
  }

  @Test
  void withoutAClientIdOneIsMadeThatIsUnique() {
    FakeAggregators aggregators = new FakeAggregators(new VirtualLoop());
    VirtualLoop loop = new VirtualLoop();
    for (int i = 0; i < 2; i++) {
      HeadgateAgent.builder()
          .service("payments")
          .aggregators("localhost:7070")
          .eventLoop(loop)
          .connector(aggregators)
          .build();
    }
    loop.run();

    String one = aggregators.streams().get(0).received().get(0).getHello().getClientId();
    String two = aggregators.streams().get(1).received().get(0).getHello().getClientId();
    assertThat(one).startsWith("payments-").matches("[ -~]{1,128}").isNotEqualTo(two);
  }
}
