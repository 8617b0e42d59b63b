package io.headgate.server.e2e;

import static io.headgate.server.e2e.Traffic.region;
import static io.headgate.server.e2e.Traffic.zone;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import java.time.Duration;
import org.junit.jupiter.api.Test;

@EndToEndTest
class ScopeTest {

  /** Two services at once, since both have only to be watched. */
  @Test
  void aRegionLimitBindsBeforeAGlobalOneAndAZoneLimitInItsZoneOnly(Fleet fleet) throws Exception {
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
    try (Traffic nested = traffic("nested", fleet, 6_000, 4_000, 7_000, 3_000);
        Traffic zonal = traffic("zonal", fleet, 6_000, 6_000, 6_000, 6_000)) {
      nested.settle();

      Traffic.Moment zonalFrom = zonal.now();
      Observation seen = nested.observeFor(Duration.ofSeconds(8));
      Observation seenOfZones = Observation.between(zonalFrom, zonal.now());

      // Of 10,000 + 10,000 the region passes 5,000 + 10,000; of these the global limit passes 80 %.
      assertThat(seen.admittedPerSecond(region("eu-west"))).isCloseTo(4_000, withPercentage(3));
      assertThat(seen.admittedPerSecond(region("us-east"))).isCloseTo(8_000, withPercentage(3));
      assertThat(seen.admittedPerSecond()).isCloseTo(12_000, withPercentage(3));
      assertThat(seenOfZones.admittedPerSecond(zone("us-east-1")))
          .isCloseTo(4_000, withPercentage(3));
      assertThat(seenOfZones.dropped(zone("us-east-1").negate())).isZero();
    }
  }

  private static Traffic traffic(String service, Fleet fleet, int a, int b, int c, int d) {
    return Traffic.to(service, fleet)
        .from("a", "eu-west-1", a)
        .from("b", "eu-west-2", b)
        .from("c", "us-east-1", c)
        .from("d", "us-east-2", d)
        .begin();
  }
}
