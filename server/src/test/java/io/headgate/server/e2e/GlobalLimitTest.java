package io.headgate.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;
import static org.assertj.core.data.Percentage.withPercentage;

import java.time.Duration;
import org.junit.jupiter.api.Test;

@EndToEndTest
class GlobalLimitTest {

  @Test
  void eightUnequalCallersInFourZonesAreHeldToOneLimitAndLoseTheSameShare(Fleet fleet)
      throws Exception {
    fleet.writeRules(
        "global",
        """
        service: global
        rules:
          - name: limit
            limit: 20000/s
            scope: global
            behavior: deny
        """);
    try (Traffic traffic = demandOf30000("global", fleet)) {
      traffic.settle();

      Observation overload = traffic.observeFor(Duration.ofSeconds(10));

      assertThat(overload.offeredPerSecond()).isCloseTo(30_000, withPercentage(1));
      assertThat(overload.admittedPerSecond()).isCloseTo(20_000, withPercentage(2));
      assertThat(overload.dropRatioByCaller())
          .hasSize(8)
          .allSatisfy((caller, ratio) -> assertThat(ratio).isCloseTo(0.333, offset(0.015)));

      traffic.multiplyBy(0.8 / 1.5);
      double seconds =
          traffic.secondsUntil(
              "nothing is dropped", Duration.ofSeconds(5), last -> last.dropped() == 0);
      Observation below = traffic.observeFor(Duration.ofSeconds(5));

      assertThat(seconds).isLessThan(4);
      assertThat(below.offeredPerSecond()).isCloseTo(16_000, withPercentage(1));
      assertThat(below.dropped()).isZero();
    }
  }

  static Traffic demandOf30000(String service, Fleet fleet) {
    return Traffic.to(service, fleet)
        .from("checkout", "eu-west-1", 6_000)
        .from("mobile", "eu-west-1", 5_400)
        .from("web", "eu-west-1", 4_800)
        .from("batch", "eu-west-2", 3_600)
        .from("partner", "us-east-1", 3_300)
        .from("market", "us-east-1", 2_700)
        .from("backoffice", "us-east-1", 2_400)
        .from("kiosk", "us-east-2", 1_800)
        .begin();
  }
}
