package io.headgate.server.demo.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CountsTest {

  @Test
  void aBucketThatWasMadeAnewCountsFromZero() {
    Counts before = new Counts(100, 90, 10, 0);
    assertThat(new Counts(130, 110, 20, 0).since(before)).isEqualTo(new Counts(30, 20, 10, 0));
    assertThat(new Counts(5, 5, 0, 0).since(before)).isEqualTo(new Counts(5, 5, 0, 0));
  }

  @Test
  void ratiosAreSharesOfWhatWasOffered() {
    Counts counts = new Counts(300, 200, 100, 75);
    assertThat(counts.dropRatio()).isEqualTo(100.0 / 300);
    assertThat(counts.wouldDropRatio()).isEqualTo(0.25);
    assertThat(Counts.NONE.dropRatio()).isZero();
  }
}
