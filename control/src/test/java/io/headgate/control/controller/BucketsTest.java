package io.headgate.control.controller;

import static io.headgate.control.controller.TestRegion.ORDERS;
import static io.headgate.control.controller.TestRegion.rule;
import static io.headgate.control.controller.TestRegion.rules;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.core.rule.BucketKey;
import io.headgate.core.rule.Location;
import io.headgate.core.rule.Scope;
import io.headgate.core.shed.LawSettings;
import io.headgate.protocol.v1.BucketDefinition;
import io.headgate.protocol.v1.ZoneReport;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BucketsTest {

  private final Buckets buckets = new Buckets(3, LawSettings.PLAIN);
  private final RateTable rates = new RateTable(buckets, (reason, times) -> {}, 10);
  private int zone;

  @BeforeEach
  void oneRuleAndOneZone() {
    buckets.rules(rules(1, rule("orders", Scope.REGION, 100, Map.of())));
    zone = buckets.addZone(new Location("eu", "eu-1"));
  }

  @Test
  void onlyBucketsWithDemandAreActive() {
    report(1, "orders", 0);
    sum();
    assertThat(buckets.active()).isEmpty();

    report(1, "orders", 5);
    sum();
    assertThat(buckets.active()).hasSize(1);
  }

  @Test
  void aSweepForgetsTheDomainsOfBucketsWithoutDemand() {
    report(1, "orders", 5);
    sum();
    report(1, "orders", 0);
    sum();

    buckets.sweep(List.of(rates));

    assertThat(buckets.active()).isEmpty();
    assertThat(buckets.size()).isEqualTo(1);
    report(1, "orders", 5);
    sum();
    assertThat(buckets.active()).hasSize(1);
  }

  @Test
  void aSweepKeepsABucketThatIsBeingDropped() {
    report(1, "orders", 500);
    sum();
    buckets.judge(0);
    buckets.clear();

    buckets.sweep(List.of(rates));

    assertThat(buckets.active()).hasSize(1);
  }

  @Test
  void aSweepForgetsBucketsThatNoStreamNames() {
    report(1, "orders", 5);
    sum();

    buckets.sweep(List.of());

    assertThat(buckets.size()).isZero();
    assertThat(buckets.active()).isEmpty();
  }

  @Test
  void thereAreNoMoreBucketsThanAllowed() {
    for (int caller = 0; caller < 3; caller++) {
      assertThat(buckets.bucket(new BucketKey("shop", "each", "caller-" + caller, ""))).isNotNull();
    }

    assertThat(buckets.bucket(ORDERS)).isNull();
  }

  @Test
  void aBucketThatIsNamedAnewCountsUnderItsNewNumberOnly() {
    report(1, "orders", 30);
    report(2, "orders", 40);
    sum();

    assertThat(buckets.active().get(0).ofZone(zone).offered()).isEqualTo(40);
    assertThat(rates.bucket(1)).isNull();
  }

  @Test
  void reportsThatAreNotCompleteLeaveOtherBucketsAsTheyWere() {
    report(1, "orders", 30);
    rates.apply(
        RateReport.of(
            ZoneReport.newBuilder()
                .addDefine(
                    BucketDefinition.newBuilder().setId(2).setService("shop").setRule("other"))
                .addBucket(2)
                .addOffered(7)
                .build()));
    sum();
    assertThat(buckets.active().get(0).ofZone(zone).offered()).isEqualTo(30);

    rates.apply(RateReport.of(ZoneReport.newBuilder().setComplete(true).build()));
    sum();
    assertThat(buckets.active().get(0).ofZone(zone).offered()).isZero();
  }

  private void report(int id, String rule, double offered) {
    ZoneReport.Builder report = ZoneReport.newBuilder().addBucket(id).addOffered(offered);
    report.addDefine(BucketDefinition.newBuilder().setId(id).setService("shop").setRule(rule));
    rates.apply(RateReport.of(report.build()));
  }

  private void sum() {
    buckets.clear();
    buckets.addZoneDemand(zone, rates, 1, 0);
  }
}
