package io.headgate.control.aggregator;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.core.rule.BucketKey;
import io.headgate.protocol.v1.BucketDefinition;
import io.headgate.protocol.v1.ZoneMessage;
import io.headgate.protocol.v1.ZoneReport;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ZoneReportWriterTest {

  private final BucketTable table =
      new BucketTable(100_000, new RuleTallies(new SimpleMeterRegistry(), Tags.empty()));
  private final ZoneSums sums = new ZoneSums();
  private final ZoneReportWriter writer = new ZoneReportWriter(table);

  @BeforeEach
  void setUp() {
    table.rules(Samples.payments(1));
  }

  @Test
  void aBucketIsDefinedOnceAndKeepsItsNumber() {
    int shop = hold("shop");
    sums.reset();
    sums.add(shop, 5, 5, 2, 1);

    ZoneReport first = writeOne();
    assertThat(first.getDefineList())
        .extracting(BucketDefinition::getCaller)
        .containsExactly("shop");
    assertThat(first.getBucketList()).containsExactly(1);
    assertThat(first.getOfferedList()).containsExactly(5.0);
    assertThat(first.getDroppedList()).containsExactly(2.0);
    assertThat(first.getWouldDropList()).containsExactly(1.0);
    assertThat(first.getSequence()).isEqualTo(1);
    assertThat(first.getConfigVersion()).isEqualTo(4);
    assertThat(first.getClients()).isEqualTo(3);
    assertThat(first.getComplete()).isTrue();

    ZoneReport second = writeOne();
    assertThat(second.getDefineList()).isEmpty();
    assertThat(second.getBucketList()).containsExactly(1);
    assertThat(second.getSequence()).isEqualTo(2);
  }

  @Test
  void aLargeReportGoesOutInPartsNoneOfWhichIsComplete() {
    for (int i = 0; i < 25_000; i++) {
      hold("caller-" + i);
    }
    offerAll();

    List<ZoneReport> parts = write();
    assertThat(parts).extracting(ZoneReport::getBucketCount).containsExactly(10_000, 10_000, 5_000);
    assertThat(parts).extracting(ZoneReport::getDefineCount).containsExactly(10_000, 10_000, 5_000);
    assertThat(parts).extracting(ZoneReport::getComplete).containsOnly(false);
    assertThat(parts).extracting(ZoneReport::getSequence).containsExactly(1L, 2L, 3L);
    assertThat(parts).allSatisfy(part -> assertThat(part.getSerializedSize()).isLessThan(4 << 20));
  }

  @Test
  void longNamesMakeSmallerParts() {
    for (int i = 0; i < 6_000; i++) {
      hold("x".repeat(500) + i);
    }
    offerAll();

    List<ZoneReport> parts = write();
    assertThat(parts).hasSizeGreaterThan(2);
    assertThat(parts).extracting(ZoneReport::getBucketCount).allMatch(rows -> rows < 2_100);
    assertThat(parts.stream().mapToInt(ZoneReport::getBucketCount).sum()).isEqualTo(6_000);
  }

  @Test
  void inPartsABucketWithoutDemandIsSaidToHaveNone() {
    for (int i = 0; i < 15_000; i++) {
      hold("caller-" + i);
    }
    offerAll();
    write();
    sums.reset();
    for (int i = 1; i < 15_000; i++) {
      sums.add(i, 1, 1, 0, 0);
    }

    List<ZoneReport> parts = write();
    assertThat(parts).hasSize(2);
    assertThat(parts.get(0).getBucket(0)).isEqualTo(1);
    assertThat(parts.get(0).getOffered(0)).isZero();

    assertThat(write().get(0).getBucket(0)).isEqualTo(2);
  }

  @Test
  void aBucketThatVanishedBeforeItsEndWasToldIsStillEnded() {
    int shop = hold("shop");
    int desk = hold("desk");
    sums.reset();
    sums.add(shop, 5, 5, 0, 0);
    sums.add(desk, 6, 6, 0, 0);
    write();

    writer.forget(shop);
    assertThat(writer.bucket(1)).isEqualTo(BucketTable.NONE);
    sums.reset();
    sums.add(shop, 7, 7, 0, 0);
    sums.add(desk, 6, 6, 0, 0);

    ZoneReport report = writeOne();
    assertThat(report.getBucketList()).containsExactly(1, 3, 2);
    assertThat(report.getOfferedList()).containsExactly(0.0, 7.0, 6.0);
    assertThat(report.getDefineList()).extracting(BucketDefinition::getId).containsExactly(3);
  }

  @Test
  void sumsBeyondEveryLimitAreCutToWhatAControllerTakes() {
    int shop = hold("shop");
    sums.reset();
    sums.add(shop, 4e12, 5e15, 2e12, 1e12);
    sums.addLevel(shop, 9, 1e12);

    ZoneReport report = writeOne();
    assertThat(report.getOfferedList()).containsExactly(1e12);
    assertThat(report.getVarianceList()).containsExactly(1e12);
    assertThat(report.getDroppedList()).containsExactly(5e11);
    assertThat(report.getWouldDropList()).containsExactly(2.5e11);
    assertThat(report.getLevel(0).getOffered()).isEqualTo(2.5e11);
  }

  private int hold(String caller) {
    return table.hold(new BucketKey("payments", "each", caller, ""));
  }

  private void offerAll() {
    sums.reset();
    for (int bucket = 0; bucket < table.end(); bucket++) {
      sums.add(bucket, 1, 1, 0, 0);
    }
  }

  private List<ZoneReport> write() {
    return writer.write(sums, 4, 3, 0, false, bucket -> true).stream()
        .map(ZoneMessage::getReport)
        .toList();
  }

  private ZoneReport writeOne() {
    List<ZoneReport> parts = write();
    assertThat(parts).hasSize(1);
    return parts.get(0);
  }
}
