package io.headgate.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;
import static org.awaitility.Awaitility.await;

import io.headgate.agent.AgentStatus;
import io.headgate.agent.HeadgateAgent;
import io.headgate.server.demo.load.LoadGenerator;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

@EndToEndTest
class ManyCallersTest {

  private static final int CALLS_PER_SECOND = 100_000;
  private static final int MAX_GATES = 1_000;

  @Test
  void aMillionDistinctCallersShareWhatIsBeyondTheBoundAndItIsLimited(Fleet fleet)
      throws Exception {
    fleet.writeRules(
        "crowded",
        """
        service: crowded
        rules:
          - name: each-caller
            per: [caller]
            limit: 5000/s
            scope: global
            behavior: deny
        """);
    AtomicLong offered = new AtomicLong();
    AtomicLong admitted = new AtomicLong();
    try (HeadgateAgent agent =
        HeadgateAgent.builder()
            .service("crowded")
            .region("us-east")
            .zone("us-east-2")
            .aggregators(fleet.cluster().aggregatorAddresses("us-east-2"))
            .maxGates(MAX_GATES)
            .build()) {
      agent.gate("first", Traffic.PROCEDURE);
      await().atMost(Duration.ofSeconds(30)).until(() -> agent.status().configVersion() > 0);

      try (LoadGenerator load =
          LoadGenerator.start(
              elapsedSeconds -> {
                while (offered.get() < elapsedSeconds * CALLS_PER_SECOND) {
                  String caller = "caller-" + offered.incrementAndGet();
                  boolean passed = agent.gate(caller, Traffic.PROCEDURE).judge().admitted();
                  admitted.addAndGet(passed ? 1 : 0);
                }
              })) {
        await().atMost(Duration.ofSeconds(30)).until(() -> offered.get() > 500_000);
        long offeredBefore = offered.get();
        long admittedBefore = admitted.get();
        await().atMost(Duration.ofSeconds(30)).until(() -> offered.get() > 1_000_000);
        double share = (double) (admitted.get() - admittedBefore) / (offered.get() - offeredBefore);

        // All of them have the one bucket that is left for them: 5,000 of 100,000 a second.
        assertThat(share * CALLS_PER_SECOND).isCloseTo(5_000, withPercentage(10));
        assertThat(load.elapsedSeconds()).isGreaterThan(10);
      }
      AgentStatus status = agent.status();
      assertThat(status.gates()).isLessThanOrEqualTo(MAX_GATES);
      assertThat(status.overflowGates()).isEqualTo(1);
      assertThat(status.buckets()).isLessThanOrEqualTo(MAX_GATES + 1);
      assertThat(status.overflowLookups()).isGreaterThan(990_000);
    }
  }
}
