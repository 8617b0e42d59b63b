package io.headgate.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;
import static org.assertj.core.data.Percentage.withPercentage;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.headgate.server.demo.cluster.ServerProcess;
import java.time.Duration;
import org.junit.jupiter.api.Test;

@EndToEndTest
class RuleChangeTest {

  @Test
  void aRuleInShadowDropsNothingAndTheFlipToDenyAndBackActsInThreeSeconds(Fleet fleet)
      throws Exception {
    fleet.writeRules("shadow", rules("shadow", "20000/s", "allow"));
    try (Traffic traffic = GlobalLimitTest.demandOf30000("shadow", fleet)) {
      traffic.settle();

      Observation shadow = traffic.observeFor(Duration.ofSeconds(4));

      assertThat(shadow.dropped()).isZero();
      assertThat(shadow.wouldDropRatio("shadow", "limit")).isCloseTo(0.333, offset(0.015));

      fleet.writeRules("shadow", rules("shadow", "20000/s", "deny"));
      assertThat(
              traffic.secondsUntil(
                  "a third is dropped at every caller",
                  Duration.ofSeconds(10),
                  last -> last.dropRatioByCaller().values().stream().allMatch(r -> r > 0.25)))
          .isLessThan(3);
      assertThat(traffic.observeFor(Duration.ofSeconds(2)).admittedPerSecond())
          .isCloseTo(20_000, withPercentage(3));

      fleet.writeRules("shadow", rules("shadow", "20000/s", "allow"));
      assertThat(
              traffic.secondsUntil(
                  "nothing is dropped", Duration.ofSeconds(10), last -> last.dropped() == 0))
          .isLessThan(3);
    }
  }

  @Test
  void halvingALimitActsEverywhereInTwoSecondsAndABrokenFileChangesNothing(Fleet fleet)
      throws Exception {
    fleet.writeRules("edited", rules("edited", "24000/s", "deny"));
    try (Traffic traffic = GlobalLimitTest.demandOf30000("edited", fleet)) {
      traffic.settle();
      assertThat(traffic.observeFor(Duration.ofSeconds(2)).admittedPerSecond())
          .isCloseTo(24_000, withPercentage(3));

      fleet.writeRules("edited", rules("edited", "12000/s", "deny"));
      // 60 % are to be dropped at every caller, where 20 % were.
      assertThat(
              traffic.secondsUntil(
                  "the new limit is in force at every caller",
                  Duration.ofSeconds(10),
                  last -> last.dropRatioByCaller().values().stream().allMatch(r -> r > 0.5)))
          .isLessThan(2);

      fleet.writeRules("edited", rules("edited", "many", "deny"));
      try {
        for (ServerProcess controller : fleet.cluster().controllers()) {
          await()
              .atMost(Duration.ofSeconds(5))
              .untilAsserted(() -> assertThatTheLimitIsBad(fleet, controller));
        }
        assertThat(traffic.observeFor(Duration.ofSeconds(3)).admittedPerSecond())
            .isCloseTo(12_000, withPercentage(3));
      } finally {
        fleet.writeRules("edited", rules("edited", "12000/s", "deny"));
      }
    }
  }

  private static void assertThatTheLimitIsBad(Fleet fleet, ServerProcess controller)
      throws Exception {
    JsonNode problems = fleet.status(controller).get("controller").get("problems");
    assertThat(problems).hasSize(1);
    assertThat(problems.get(0).get("file").textValue()).isEqualTo("edited.yaml");
    assertThat(problems.get(0).get("line").intValue()).isEqualTo(4);
    assertThat(problems.get(0).get("column").intValue()).isEqualTo(12);
    assertThat(problems.get(0).get("message").textValue()).contains("many");
    assertThat(fleet.metric(controller, "headgate_controller_rule_problems", "")).isEqualTo(1);
  }

  private static String rules(String service, String limit, String behavior) {
    return """
        service: %s
        rules:
          - name: limit
            limit: %s
            scope: global
            behavior: %s
        """
        .formatted(service, limit, behavior);
  }
}
