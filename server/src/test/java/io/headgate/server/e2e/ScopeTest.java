package io.headgate.server.e2e;

import static io.headgate.server.e2e.Traffic.region;
import static io.headgate.server.e2e.Traffic.zone;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import java.time.Duration;
import org.junit.jupiter.api.Test;

@EndToEndTest
class ScopeTest {

  @Test
  void aRegionLimitBindsFirstAndAGlobalOneSharesWhatIsLeft(Fleet fleet) throws Exception {
    fleet.writeRules(
        "nested",
        """
        service: nested
        rules:
          - name: in-each-region
            limit: 1M/s
            limits: { eu-west: 5000/s }
            scope: region
            behavior: deny
          - name: everywhere
            limit: 12000/s
            scope: global
            behavior: deny
        """);
    try (Traffic traffic =
        Traffic.to("nested", fleet)
            .from("a", "eu-west-1", 6_000)
            .from("b", "eu-west-2", 4_000)
            .from("c", "us-east-1", 7_000)
            .from("d", "us-east-2", 3_000)
            .begin()) {
      traffic.settle();

      Observation seen = traffic.observeFor(Duration.ofSeconds(8));

      // Of 10,000 + 10,000 the region passes 5,000 + 10,000; of these the global limit passes 80 %.
      assertThat(seen.admittedPerSecond(region("eu-west"))).isCloseTo(4_000, withPercentage(3));
      assertThat(seen.admittedPerSecond(region("us-east"))).isCloseTo(8_000, withPercentage(3));
      assertThat(seen.admittedPerSecond()).isCloseTo(12_000, withPercentage(3));
    }
  }

  @Test
  void aZoneLimitBindsInItsZoneOnly(Fleet fleet) throws Exception {
    fleet.writeRules(
        "zonal",
        """
        service: zonal
        rules:
          - name: in-each-zone
            limit: 1M/s
            limits: { us-east-1: 4000/s }
            scope: zone
            behavior: deny
        """);
    try (Traffic traffic =
        Traffic.to("zonal", fleet)
            .from("a", "eu-west-1", 6_000)
            .from("b", "eu-west-2", 6_000)
            .from("c", "us-east-1", 6_000)
            .from("d", "us-east-2", 6_000)
            .begin()) {
      traffic.settle();

      Observation seen = traffic.observeFor(Duration.ofSeconds(5));

      assertThat(seen.admittedPerSecond(zone("us-east-1"))).isCloseTo(4_000, withPercentage(3));
      assertThat(seen.dropped(zone("us-east-1").negate())).isZero();
    }
  }
}
