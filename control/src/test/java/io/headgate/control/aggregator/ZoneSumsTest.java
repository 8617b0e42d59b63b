package io.headgate.control.aggregator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ZoneSumsTest {

  private record Rate(int bucket, double offered, double dropped, int level) {}

  private final ZoneSums sums = new ZoneSums();
  private final Random random = new Random(1);
  private final List<Rate> rates = new ArrayList<>();

  @Test
  void theyAreThoseOfTheRatesThatAreThere() {
    for (int step = 0; step < 20_000; step++) {
      if (random.nextInt(5) < 2 && !rates.isEmpty()) {
        remove(rates.remove(random.nextInt(rates.size())));
      } else {
        add();
      }
    }

    for (int bucket = 0; bucket < 100; bucket++) {
      assertThat(sums.offered(bucket)).isCloseTo(offered(bucket), within(1e-6));
      assertThat(sums.dropped(bucket)).isCloseTo(dropped(bucket), within(1e-6));
    }
  }

  /** A trace of a rate that is gone would be demand for a bucket that has none. */
  @Test
  void nothingIsLeftOfRatesThatAreGone() {
    for (int step = 0; step < 1_000; step++) {
      add();
    }
    while (!rates.isEmpty()) {
      remove(rates.remove(random.nextInt(rates.size())));
    }

    for (int bucket = 0; bucket < 100; bucket++) {
      assertThat(sums.offered(bucket)).isZero();
      assertThat(sums.variance(bucket)).isZero();
      assertThat(sums.dropped(bucket)).isZero();
      assertThat(sums.wouldDrop(bucket)).isZero();
      for (int level = 0; level < 12; level++) {
        assertThat(sums.level(bucket, level)).isZero();
      }
    }
  }

  private void add() {
    double offered = Math.exp(40 * random.nextDouble() - 20);
    Rate rate =
        new Rate(random.nextInt(100), offered, offered * random.nextDouble(), random.nextInt(12));
    rates.add(rate);
    sums.add(rate.bucket(), rate.offered(), rate.offered(), rate.dropped(), 0);
    sums.addLevel(rate.bucket(), rate.level(), rate.offered());
  }

  private void remove(Rate rate) {
    sums.addLevel(rate.bucket(), rate.level(), -rate.offered());
    sums.remove(rate.bucket(), rate.offered(), rate.offered(), rate.dropped(), 0);
  }

  private double offered(int bucket) {
    return rates.stream().filter(rate -> rate.bucket() == bucket).mapToDouble(Rate::offered).sum();
  }

  private double dropped(int bucket) {
    return rates.stream().filter(rate -> rate.bucket() == bucket).mapToDouble(Rate::dropped).sum();
  }
}
