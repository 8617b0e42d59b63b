package io.headgate.server.demo.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class ArrivalsTest {

  private final AtomicInteger first = new AtomicInteger();
  private final AtomicInteger second = new AtomicInteger();

  @Test
  void eachFlowKeepsItsRateAndFollowsItsProfile() {
    LoadProfile step = elapsed -> elapsed < 100 ? 0.5 : 1.5;
    ProfileArrivals arrivals =
        new ProfileArrivals(
            List.of(
                new Flow(40, elapsed -> 1, first::incrementAndGet),
                new Flow(100, step, second::incrementAndGet)),
            new SplittableRandom(1));
    advance(arrivals, 0, 100);
    // Poisson counts of mean 4,000 and 5,000: five standard deviations are 316 and 354.
    assertThat(first.get()).isCloseTo(4_000, Offset.offset(316));
    assertThat(second.get()).isCloseTo(5_000, Offset.offset(354));
    advance(arrivals, 100, 200);
    assertThat(second.get()).isCloseTo(20_000, Offset.offset(708));
  }

  @Test
  void arrivalsOfAPoissonProcessVaryAsMuchAsTheirMean() {
    PoissonArrivals arrivals = new PoissonArrivals(new SplittableRandom(2));
    int windows = 20_000;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < windows; i++) {
      int arrived = arrivals.advance(3);
      sum += arrived;
      squares += (double) arrived * arrived;
    }
    double mean = sum / windows;
    assertThat(mean).isCloseTo(3, Offset.offset(0.06));
    assertThat(squares / windows - mean * mean).isCloseTo(3, Offset.offset(0.16));
  }

  @Test
  void aTraceIsReplayedAtItsSpeedAndBeginsAgainWhenItIsOver() {
    TraceArrivals arrivals =
        new TraceArrivals(
            Trace.of(new long[] {0, 1_000_000_000, 4_000_000_000L}),
            2,
            List.of(new Flow(1, elapsed -> 1, first::incrementAndGet)),
            new SplittableRandom(3));
    arrivals.advanceTo(0);
    assertThat(first.get()).isEqualTo(1);
    arrivals.advanceTo(0.49);
    assertThat(first.get()).isEqualTo(1);
    arrivals.advanceTo(0.5);
    assertThat(first.get()).isEqualTo(2);
    arrivals.advanceTo(2);
    assertThat(first.get()).isEqualTo(3);
    arrivals.advanceTo(2.5);
    assertThat(first.get()).isEqualTo(4);
    arrivals.advanceTo(6);
    assertThat(first.get()).isEqualTo(7);
  }

  @Test
  void theCallsOfATraceAreSharedOutByTheUsualRates() {
    long[] times = new long[10_001];
    for (int i = 0; i < times.length; i++) {
      times[i] = i * 1_000_000L;
    }
    TraceArrivals arrivals =
        new TraceArrivals(
            Trace.of(times),
            1,
            List.of(
                new Flow(30, elapsed -> 1, first::incrementAndGet),
                new Flow(70, elapsed -> 1, second::incrementAndGet)),
            new SplittableRandom(4));
    arrivals.advanceTo(9.9999);
    assertThat(first.get() + second.get()).isEqualTo(10_000);
    assertThat(first.get()).isCloseTo(3_000, Offset.offset(230));
  }

  private static void advance(Arrivals arrivals, double from, double to) {
    for (int i = 1; i <= 10_000; i++) {
      arrivals.advanceTo(from + (to - from) * i / 10_000);
    }
  }
}
