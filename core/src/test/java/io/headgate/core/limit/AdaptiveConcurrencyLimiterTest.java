package io.headgate.core.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.core.limit.AdaptiveConcurrencyLimiter.Permit;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

/** A service in virtual time whose answers take as long as the test says. */
class AdaptiveConcurrencyLimiterTest {

  private static final long MS = 1_000_000;
  private static final AdaptiveLimit WIDE =
      new AdaptiveLimit(1, 100_000, 100, 1.0, Duration.ofMinutes(1));

  private long now;
  private final Queue<Permit> running = new ArrayDeque<>();

  private AdaptiveConcurrencyLimiter limiter(AdaptiveLimit bounds) {
    return new AdaptiveConcurrencyLimiter(bounds, () -> now);
  }

  /**
   * Rounds in which as many requests as may run at once, at most {@code demand}, run for a time
   * that depends on their number.
   */
  private void run(
      AdaptiveConcurrencyLimiter limiter, int samples, long demand, LongUnaryOperator nanos) {
    int done = 0;
    while (done < samples) {
      while (running.size() < demand) {
        Permit permit = limiter.tryAcquire();
        if (permit == null) {
          break;
        }
        running.add(permit);
      }
      now += nanos.applyAsLong(running.size());
      done += running.size();
      while (!running.isEmpty()) {
        running.remove().close();
      }
    }
  }

  @Test
  void doesNotCreepUpWhileAnswersTakeAQuarterLongerThanUsual() {
    AdaptiveConcurrencyLimiter limiter = limiter(WIDE);
    run(limiter, 700, 100, inUse -> MS);
    long before = limiter.limit();
    long highest = 0;
    for (int step = 0; step < 100; step++) {
      run(limiter, 20, Long.MAX_VALUE, inUse -> MS + MS / 4);
      highest = Math.max(highest, limiter.limit());
    }
    assertThat(highest).isLessThanOrEqualTo(before);
    assertThat(limiter.limit()).isLessThan(before);
  }

  @Test
  void findsTheConcurrencyAtWhichAServiceBeginsToQueue() {
    AdaptiveConcurrencyLimiter limiter = limiter(AdaptiveLimit.DEFAULT);
    // 50 at a time take 10 ms, more of them wait for their turn.
    run(limiter, 100_000, Long.MAX_VALUE, inUse -> 10 * MS * Math.max(50, inUse) / 50);
    assertThat(limiter.limit()).isBetween(50L, 100L);
  }

  @Test
  void doesNotRiseWhileFewAreInUse() {
    AdaptiveConcurrencyLimiter limiter = limiter(AdaptiveLimit.DEFAULT);
    run(limiter, 10_000, 5, inUse -> MS);
    assertThat(limiter.limit()).isEqualTo(20);
  }

  @Test
  void aServiceThatHasBecomeSlowerForGoodIsLearnedAnew() {
    AdaptiveConcurrencyLimiter limiter = limiter(AdaptiveLimit.DEFAULT);
    LongUnaryOperator quick = inUse -> 10 * MS * Math.max(50, inUse) / 50;
    run(limiter, 50_000, Long.MAX_VALUE, quick);
    run(limiter, 3_000, Long.MAX_VALUE, inUse -> 4 * quick.applyAsLong(inUse));
    assertThat(limiter.limit()).isLessThan(20);

    run(limiter, 100_000, Long.MAX_VALUE, inUse -> 4 * quick.applyAsLong(inUse));
    assertThat(limiter.limit()).isBetween(50L, 100L);
  }

  @Test
  void dropsLowerTheLimit() {
    AdaptiveConcurrencyLimiter limiter = limiter(AdaptiveLimit.DEFAULT);
    run(limiter, 20, 5, inUse -> MS);
    for (int request = 0; request < 20; request++) {
      limiter.tryAcquire().dropped();
    }
    assertThat(limiter.limit()).isEqualTo(18);
  }

  @Test
  void aPermitIsGivenBackOnceAndWhatIsIgnoredIsNoSample() {
    AdaptiveConcurrencyLimiter limiter = limiter(AdaptiveLimit.DEFAULT);
    for (int request = 0; request < 1000; request++) {
      Permit permit = limiter.tryAcquire();
      permit.ignore();
      permit.close();
      permit.dropped();
    }
    assertThat(limiter.inUse()).isZero();
    assertThat(limiter.limit()).isEqualTo(20);
  }

  @Test
  void mistakesAreNamed() {
    assertThatThrownBy(() -> new AdaptiveLimit(5, 10, 4, 1.5, Duration.ofMinutes(1)))
        .hasMessage("initial: 4 (expected: 5 to 10)");
    assertThatThrownBy(() -> new AdaptiveLimit(1, 10, 4, 0.5, Duration.ofMinutes(1)))
        .hasMessage("tolerance: 0.5 (expected: 1 to 100)");
  }
}
