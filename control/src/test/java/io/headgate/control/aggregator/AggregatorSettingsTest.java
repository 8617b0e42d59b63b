package io.headgate.control.aggregator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class AggregatorSettingsTest {

  @Test
  void defaultsAreThoseOfTheLoop() {
    AggregatorSettings settings = named().build();

    assertThat(settings.reportInterval()).isEqualTo(Duration.ofSeconds(1));
    assertThat(settings.latchIntervals()).isEqualTo(2.5);
    assertThat(settings.directiveTtl()).isEqualTo(Duration.ofSeconds(5));
    assertThat(settings.requireIdentity()).isTrue();
    assertThat(settings.maxClients()).isEqualTo(50_000);
    assertThat(settings.maxBucketsPerReport()).isEqualTo(20_000);
    assertThat(settings.maxBucketsPerClient()).isEqualTo(50_000);
    assertThat(settings.maxBuckets()).isEqualTo(200_000);
    assertThat(settings.maxClientRatePerSecond()).isEqualTo(1e9);
    assertThat(settings.maxBadReports()).isEqualTo(10);
  }

  static Stream<Arguments> wrong() {
    return Stream.of(
        wrong("aggregatorId: ''", b -> b.aggregatorId("")),
        wrong("region: ''", b -> b.region("")),
        wrong("zone: ''", b -> b.zone("")),
        wrong("reportInterval: PT0S", b -> b.reportInterval(Duration.ZERO)),
        wrong("directiveTtl: PT-1S", b -> b.directiveTtl(Duration.ofSeconds(-1))),
        wrong("latchIntervals: 0.5", b -> b.latchIntervals(0.5)),
        wrong("latchIntervals: NaN", b -> b.latchIntervals(Double.NaN)),
        wrong("maxClients: 0", b -> b.maxClients(0)),
        wrong("maxBucketsPerReport: 0", b -> b.maxBucketsPerReport(0)),
        wrong("maxBucketsPerClient: -1", b -> b.maxBucketsPerClient(-1)),
        wrong("maxBuckets: 0", b -> b.maxBuckets(0)),
        wrong("maxBadReports: 0", b -> b.maxBadReports(0)),
        wrong("maxClientRatePerSecond: 2.0E12", b -> b.maxClientRatePerSecond(2e12)),
        wrong("maxClientRatePerSecond: NaN", b -> b.maxClientRatePerSecond(Double.NaN)));
  }

  private static Arguments wrong(String message, UnaryOperator<AggregatorSettings.Builder> change) {
    return Arguments.of(message, change);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("wrong")
  void aSettingOutOfRangeIsNamed(String message, UnaryOperator<AggregatorSettings.Builder> change) {
    assertThatThrownBy(() -> change.apply(named()).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message)
        .hasMessageContaining("(expected: ");
  }

  private static AggregatorSettings.Builder named() {
    return AggregatorSettings.builder().aggregatorId("a").region("eu").zone("eu-1");
  }
}
