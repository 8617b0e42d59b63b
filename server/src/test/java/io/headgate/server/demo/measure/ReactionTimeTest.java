package io.headgate.server.demo.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.DoubleUnaryOperator;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class ReactionTimeTest {

  /** Rates are taken over a quarter of a second, each twentieth of a second. */
  private static final double WINDOW_SECONDS = 0.25;

  private static final int SAMPLES_PER_SECOND = 20;

  @Test
  void isTheTimeFromTheStepUntilTheRateIsBelowTheBound() {
    // 1,500 a second from 4 s on, 1,000 from 6 s on: over the window the rate is below 1,100 once
    // less than a fifth of the window is at the high rate, 0.2 s after the fall.
    ReactionTime reaction = watch(10, t -> t < 4 ? 500 : t < 6 ? 1500 : 1000);
    assertThat(reaction.seconds().orElseThrow()).isCloseTo(2.25, Offset.offset(0.051));
  }

  @Test
  void doesNotTakeTheBeginningOfTheStepForTheEnd() {
    ReactionTime reaction = watch(5.5, t -> t < 4 ? 0 : 1500);
    assertThat(reaction.seconds()).isEmpty();
  }

  @Test
  void goesOnWhenTheRateRisesAgainWithinASecond() {
    ReactionTime reaction = watch(10, t -> t < 4 || (t > 5 && t < 5.5) || t > 7 ? 1000 : 1500);
    assertThat(reaction.seconds().orElseThrow()).isCloseTo(3.25, Offset.offset(0.051));
  }

  @Test
  void isNoneAtAllWhereTheRateNeverExceedsTheBound() {
    ReactionTime reaction = watch(10, t -> 1000);
    assertThat(reaction.seconds().orElseThrow()).isCloseTo(0, Offset.offset(0.051));
  }

  private static ReactionTime watch(double seconds, DoubleUnaryOperator ratePerSecond) {
    long stepNanos = 4_000_000_000L;
    ReactionTime reaction =
        new ReactionTime(stepNanos, 1_100, (long) (WINDOW_SECONDS * 1_000_000_000L));
    double count = 0;
    for (int i = 0; i <= seconds * SAMPLES_PER_SECOND; i++) {
      double now = (double) i / SAMPLES_PER_SECOND;
      reaction.add((long) (now * 1_000_000_000L), (long) count);
      count += ratePerSecond.applyAsDouble(now) / SAMPLES_PER_SECOND;
    }
    return reaction;
  }
}
