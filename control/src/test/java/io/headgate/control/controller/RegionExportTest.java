package io.headgate.control.controller;

import static io.headgate.control.controller.TestRegion.rule;
import static io.headgate.control.controller.TestRegion.rules;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.core.rule.BucketKey;
import io.headgate.core.rule.Location;
import io.headgate.core.rule.Scope;
import io.headgate.core.shed.LawSettings;
import io.headgate.protocol.v1.BucketDefinition;
import io.headgate.protocol.v1.LevelRate;
import io.headgate.protocol.v1.RegionReport;
import io.headgate.protocol.v1.ZoneReport;
import java.util.BitSet;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RegionExportTest {

  private final Buckets buckets = new Buckets(10, LawSettings.PLAIN);
  private final RateTable rates = new RateTable(buckets, (reason, times) -> {}, 10);
  private final RegionExport export = new RegionExport(1);

  @BeforeEach
  void demandForAGlobalAndARegionalRule() {
    buckets.rules(
        rules(
            1,
            rule("everywhere", Scope.GLOBAL, 100, Map.of()),
            rule("everywhere-too", Scope.GLOBAL, 100, Map.of()),
            rule("here", Scope.REGION, 100, Map.of())));
    int zone = buckets.addZone(new Location("eu", "eu-1"));
    rates.apply(
        RateReport.of(
            ZoneReport.newBuilder()
                .addDefine(
                    BucketDefinition.newBuilder().setId(1).setService("shop").setRule("here"))
                .addDefine(
                    BucketDefinition.newBuilder().setId(2).setService("shop").setRule("everywhere"))
                .addBucket(1)
                .addOffered(10)
                .addDropped(0)
                .addWouldDrop(0)
                .addBucket(2)
                .addOffered(50)
                .addDropped(20)
                .addWouldDrop(5)
                .addLevel(LevelRate.newBuilder().setRow(1).setLevel(7).setOffered(15))
                .build()));
    buckets.addZoneDemand(zone, rates, 1, 0);
  }

  @Test
  void tellsOnlyTheDemandOfGlobalDomain() {
    RegionReport report = export.report(buckets.active(), 3, false);

    assertThat(report.getConfigVersion()).isEqualTo(3);
    assertThat(report.getComplete()).isTrue();
    assertThat(report.getOfferedList()).containsExactly(50.0);
    assertThat(report.getDroppedList()).containsExactly(20.0);
    assertThat(report.getWouldDropList()).containsExactly(5.0);
    assertThat(report.getLevelList())
        .containsExactly(LevelRate.newBuilder().setRow(0).setLevel(7).setOffered(15).build());
  }

  @Test
  void namesABucketOnceToEachStream() {
    BitSet named = new BitSet();
    RegionReport report = export.report(buckets.active(), 1, false);

    assertThat(define(report, named).getDefineList())
        .extracting(BucketDefinition::getRule)
        .containsExactly("everywhere");
    assertThat(define(report, named).getDefineList()).isEmpty();
    assertThat(define(report, new BitSet()).getDefineCount()).isEqualTo(1);
  }

  @Test
  void sequenceNumbersGrow() {
    assertThat(export.report(buckets.active(), 1, false).getSequence()).isEqualTo(1);
    assertThat(export.report(buckets.active(), 1, false).getSequence()).isEqualTo(2);
  }

  @Test
  void beginsAnewWhenItsNumbersAreUsedUp() {
    export.report(buckets.active(), 1, false);
    assertThat(export.isExhausted(buckets.active())).isFalse();
    offerToAll(new BucketKey("shop", "everywhere-too", "", ""));
    assertThat(export.isExhausted(buckets.active())).isTrue();

    export.restart();

    assertThat(export.report(buckets.active().subList(2, 3), 1, false).getBucketList())
        .containsExactly(1);
  }

  private void offerToAll(BucketKey key) {
    rates.apply(
        RateReport.of(
            ZoneReport.newBuilder()
                .addDefine(
                    BucketDefinition.newBuilder()
                        .setId(3)
                        .setService(key.service())
                        .setRule(key.rule()))
                .addBucket(3)
                .addOffered(1)
                .build()));
    buckets.clear();
    buckets.addZoneDemand(0, rates, 1, 0);
  }

  private RegionReport.Builder define(RegionReport report, BitSet named) {
    RegionReport.Builder whole = report.toBuilder();
    export.define(report, named, whole);
    return whole;
  }
}
