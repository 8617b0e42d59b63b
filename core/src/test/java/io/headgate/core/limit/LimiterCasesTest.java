package io.headgate.core.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cases in which limiters of the field are known to go wrong, or which their tests state. */
class LimiterCasesTest {

  private static final long MS = 1_000_000;
  private static final long SECOND = 1_000 * MS;
  private static final Duration ONE_SECOND = Duration.ofSeconds(1);
  private static final Duration ONE_MINUTE = Duration.ofMinutes(1);

  @Test
  void aRetryAfterExactlyTheWaitIsGranted() {
    Limiter bucket = TokenBucket.of(3, 3, ONE_SECOND).newLimiter(0);
    bucket.take(3, 0);

    assertThat(bucket.take(1, 0)).isEqualTo(-333_333_334);
    assertThat(bucket.tryAcquire(1, 333_333_333)).isFalse();
    assertThat(bucket.tryAcquire(1, 333_333_334)).isTrue();
  }

  @Test
  void thirtyRetriesAfterExactlyTheWaitAreGranted() {
    Limiter bucket = TokenBucket.of(3, 3, ONE_SECOND).newLimiter(0);
    long now = 0;
    bucket.take(3, now);

    for (int retry = 0; retry < 30; retry++) {
      now += bucket.acquire(1, now).retryAfterNanos();
      assertThat(bucket.tryAcquire(1, now)).isTrue();
    }
    assertThat(now).isEqualTo(10 * SECOND); // 30 tokens at 3 a second: no fraction is lost
  }

  @Test
  void aTokenThatIsPartlyThereShortensTheWait() {
    Limiter bucket = TokenBucket.of(1, 1, ONE_SECOND).newLimiter(0);
    bucket.take(1, 0);

    assertThat(bucket.acquire(1, 200 * MS).retryAfterNanos()).isEqualTo(800_000_000);
  }

  @Test
  void aFullBucketAdmitsTwiceItsCapacityInAClosedMinuteAndALogDoesNot() {
    assertThat(admittedAtZeroAndAfterAMinute(TokenBucket.of(100, 100, ONE_MINUTE))).isEqualTo(200);
    assertThat(admittedWithin(new SlidingLog(100, ONE_MINUTE), 60 * SECOND - 1)).isEqualTo(100);
    assertThat(admittedWithin(SegmentedWindow.strict(100, ONE_MINUTE, 6), 60 * SECOND - 1))
        .isEqualTo(100);
  }

  private static int admittedAtZeroAndAfterAMinute(Limit limit) {
    return admittedWithin(limit, 60 * SECOND);
  }

  private static int admittedWithin(Limit limit, long again) {
    Limiter limiter = limit.newLimiter(0);
    int admitted = 0;
    for (long now : new long[] {0, again}) {
      for (int request = 0; request < 150; request++) {
        admitted += limiter.tryAcquire(1, now) ? 1 : 0;
      }
    }
    return admitted;
  }

  @Test
  void aLongIdleTimeDoesNotOverflow() {
    Limiter bucket =
        TokenBucket.of(9_000_000_000L, 9_000_000_000L, Duration.ofHours(1)).newLimiter(0);
    bucket.take(9_000_000_000L, 0);

    assertThat(bucket.available(1800 * SECOND)).isEqualTo(4_500_000_000L);
    assertThat(bucket.available(12 * 3600 * SECOND)).isEqualTo(9_000_000_000L);
  }

  @ParameterizedTest
  @CsvSource({
    "9007199254740991, 7, 3650",
    "9007199254740991, 9007199254740991, 3650",
    "9007199254740991, 9007199254740881, 1"
  })
  void theLargestNumbersDoNotOverflow(long capacity, long tokens, long days) {
    Limit limit = TokenBucket.of(capacity, tokens, Duration.ofDays(days));
    Limiter bucket = limit.newLimiter(0);
    NaiveLimit naive = NaiveLimit.of(limit, 0);
    long now = 0;
    for (long part : new long[] {capacity, 1, tokens / 3, 5, tokens, capacity}) {
      assertThat(bucket.available(now)).isEqualTo(naive.left(now));
      long taken = bucket.take(part, now);
      if (taken >= 0) {
        naive.take(part, now);
      } else if (taken > -Long.MAX_VALUE) { // a wait of more than 292 years is held there
        assertThat(naive.left(now - taken)).isGreaterThanOrEqualTo(part);
        assertThat(naive.left(now - taken - 1)).isLessThan(part);
      }
      now += days * 3_600_000_000_000L * 5;
    }
  }

  @Test
  void aClockThatStepsBackGivesNoDoubleCredit() {
    Limiter bucket = TokenBucket.of(10, 1, ONE_SECOND).newLimiter(0);
    assertThat(bucket.tryAcquire(10, 100 * SECOND)).isTrue();

    assertThat(bucket.tryAcquire(1, 90 * SECOND)).isFalse();
    assertThat(bucket.tryAcquire(1, 100 * SECOND)).isFalse();
    assertThat(bucket.tryAcquire(1, 101 * SECOND)).isTrue();
  }

  @Test
  void aFixedWindowAdmitsTwiceItsLimitAtABoundaryAndALogDoesNot() {
    assertThat(admittedAround(new FixedWindow(2, ONE_SECOND))).isEqualTo(4);
    assertThat(admittedAround(new SlidingLog(2, ONE_SECOND))).isEqualTo(2);
    assertThat(admittedAround(SegmentedWindow.strict(2, ONE_SECOND, 10))).isEqualTo(2);
  }

  private static int admittedAround(Limit limit) {
    Limiter limiter = limit.newLimiter(999_999_999);
    int admitted = 0;
    for (long now : new long[] {999_999_999, SECOND}) {
      while (limiter.tryAcquire(1, now)) {
        admitted++;
      }
    }
    return admitted;
  }

  @Test
  void aLoweredLimitActsInTheMiddleOfAWindow() {
    Limiter ten = new FixedWindow(10, ONE_SECOND).newLimiter(0);
    ten.take(1, 0);

    Limiter two = ten.replaceBy(new FixedWindow(2, ONE_SECOND), Inheritance.AS_IS, MS);

    assertThat(two.drain(MS)).isEqualTo(2);
    assertThat(ten.take(1, MS)).isEqualTo(Limiter.RETIRED);
  }

  @Test
  void drainingSaysHowMuchItTook() {
    Limiter limiter = TokenBucket.of(10, 10, ONE_SECOND).newLimiter(0);

    assertThat(limiter.drain(0)).isEqualTo(10);
    assertThat(limiter.available(0)).isZero();
    assertThat(limiter.drain(0)).isZero();
  }

  @Test
  void aRequestAboveTheCapacityIsHopelessAndTakesNothing() {
    Limiter limiter = TokenBucket.of(5, 5, ONE_SECOND).newLimiter(0);

    Decision decision = limiter.acquire(5_000, 0);

    assertThat(decision.allowed()).isFalse();
    assertThat(decision.isHopeless()).isTrue();
    assertThat(decision.remaining()).isEqualTo(5);
    assertThat(limiter.tryAcquire(5, 0)).isTrue();
  }

  @Test
  void aNewBucketHoldsItsInitialTokens() {
    TokenBucket bucket = TokenBucket.of(1000, 1000, ONE_SECOND);
    assertThat(bucket.newLimiter(0).drain(0)).isEqualTo(1000);
    assertThat(bucket.withInitialTokens(20).newLimiter(0).drain(0)).isEqualTo(20);
    assertThat(bucket.withInitialTokens(0).newLimiter(0).drain(MS)).isEqualTo(1);
  }

  @Test
  void aLogCountsAPermitUntilItIsExactlyAWindowOld() {
    Limiter log = new SlidingLog(1, ONE_SECOND).newLimiter(0);
    log.take(1, 10_000 * MS);

    assertThat(log.take(1, 10_999 * MS)).isEqualTo(-MS);
    assertThat(log.tryAcquire(1, 11_000 * MS)).isTrue();
  }

  @Test
  void aLogCountsEachOfManyTakenInTheSameInstant() {
    Limiter log = new SlidingLog(3, ONE_SECOND).newLimiter(0);
    int admitted = 0;
    for (int request = 0; request < 5; request++) {
      admitted += log.tryAcquire(1, 10_000 * MS) ? 1 : 0;
    }
    assertThat(admitted).isEqualTo(3);
  }

  @Test
  void aLogForgetsBeforeItCounts() {
    Limiter log = new SlidingLog(2, Duration.ofSeconds(10)).newLimiter(0);
    log.take(1, 0);
    log.take(1, SECOND);

    assertThat(log.tryAcquire(1, 10_500 * MS)).isTrue();
  }

  @Test
  void denialsAreFree() {
    Limiter log = new SlidingLog(2, Duration.ofSeconds(4)).newLimiter(0);
    StringBuilder granted = new StringBuilder();
    for (int second = 0; second < 12; second++) {
      if (log.tryAcquire(1, second * SECOND)) {
        granted.append(second).append(' ');
      }
    }
    assertThat(granted).hasToString("0 1 4 5 8 9 ");
  }

  @ParameterizedTest
  @CsvSource({"PROPORTIONAL, 4", "AS_IS, 2", "ADDITIVE, 7", "RESET, 10"})
  void aRaisedLimitReachesALiveKey(Inheritance inheritance, long left) {
    for (Limit limit :
        new Limit[] {
          TokenBucket.of(5, 5, ONE_MINUTE),
          new SlidingLog(5, ONE_MINUTE),
          new SlidingCounter(5, ONE_MINUTE),
          SegmentedWindow.of(5, ONE_MINUTE, 6),
          new FixedWindow(5, ONE_MINUTE)
        }) {
      Limiter five = limit.newLimiter(0);
      five.take(3, 0);
      Limiter ten = five.replaceBy(TokenBucket.of(10, 10, ONE_MINUTE), inheritance, 0);
      assertThat(ten.available(0)).isEqualTo(left);
    }
  }

  @ParameterizedTest
  @CsvSource({"PROPORTIONAL, 80, 8", "AS_IS, 40, 20", "RESET, 200, 20", "ADDITIVE, 140, 20"})
  void inheritanceFollowsTheTable(Inheritance inheritance, long of200, long of20) {
    assertThat(inheritance.remaining(40, 100, 200)).isEqualTo(of200);
    assertThat(inheritance.remaining(40, 100, 20)).isEqualTo(of20);
  }

  @Test
  void windowsOfOneLengthKeepWhenPermitsWereTaken() {
    Limiter log = new SlidingLog(5, ONE_MINUTE).newLimiter(0);
    log.take(3, 10 * SECOND);
    log.take(2, 30 * SECOND);

    Limiter lower = log.replaceBy(new SlidingLog(4, ONE_MINUTE), Inheritance.AS_IS, 40 * SECOND);
    Limiter higher =
        lower.replaceBy(new SlidingLog(8, ONE_MINUTE), Inheritance.ADDITIVE, 40 * SECOND);

    assertThat(higher.available(40 * SECOND)).isEqualTo(4);
    assertThat(higher.available(70 * SECOND)).isEqualTo(6);
    assertThat(higher.available(90 * SECOND)).isEqualTo(8);
  }

  @Test
  void aLongerPeriodDoesNotSetAnEmptyKeyFree() {
    Limiter second = TokenBucket.of(100, 100, ONE_SECOND).newLimiter(0);
    second.drain(0);
    Limiter day =
        second.replaceBy(TokenBucket.of(100, 100, Duration.ofDays(1)), Inheritance.AS_IS, 0);

    assertThat(day.tryAcquire(1, 601 * SECOND)).isFalse();
    assertThat(day.tryAcquire(1, 864 * SECOND)).isTrue();
  }

  @Test
  void segmentsComeBackAsInTheTableOfDotNet() {
    Limiter window = SegmentedWindow.of(100, Duration.ofSeconds(30), 3).newLimiter(0);
    long[] taken = {20, 30, 40, 30, 10, 10, 35};
    long[] carried = {80, 50, 10, 0, 20, 50, 45};
    long[] recycled = {0, 0, 0, 20, 30, 40, 30};
    long before = 100;
    for (int step = 0; step < taken.length; step++) {
      long now = step * 10 * SECOND;
      assertThat(window.available(now) - before).isEqualTo(recycled[step]);
      assertThat(window.take(taken[step], now)).isEqualTo(carried[step]);
      before = carried[step];
    }
  }

  @Test
  void aPlainSegmentedWindowAdmitsTwiceItsLimitInAboutHalfAWindow() {
    Limiter window = SegmentedWindow.of(10, Duration.ofSeconds(2), 2).newLimiter(0);

    assertThat(window.tryAcquire(10, 2 * SECOND - 1)).isTrue();
    assertThat(window.tryAcquire(1, 2 * SECOND)).isFalse();
    assertThat(window.tryAcquire(10, 3 * SECOND)).isTrue();
  }

  @Test
  void aFixedWindowSaysTheTimeToItsEnd() {
    Limiter window = new FixedWindow(2, Duration.ofSeconds(20)).newLimiter(0);
    window.take(2, 0);

    assertThat(window.acquire(1, 19 * SECOND).retryAfterNanos()).isEqualTo(SECOND);
  }

  @Test
  void theCounterWeighsTheWindowBefore() {
    Limiter counter = new SlidingCounter(50, ONE_MINUTE).newLimiter(0);
    counter.take(42, 30 * SECOND);
    counter.take(8, 60 * SECOND); // 42 count in full at the boundary
    counter.take(10, 75 * SECOND);

    assertThat(counter.available(75 * SECOND)).isZero(); // 42 * 0.75 + 18 = 49.5
    assertThat(counter.tryAcquire(1, 75 * SECOND)).isFalse();
  }

  @Test
  void theCounterSaysWhenTheWeightIsDown() {
    Limiter counter = new SlidingCounter(60, ONE_MINUTE).newLimiter(0);
    counter.take(60, 30 * SECOND);
    counter.take(12, 72 * SECOND);

    assertThat(counter.acquire(1, 72 * SECOND).retryAfterNanos()).isEqualTo(SECOND);
  }

  @Test
  void aStrictWindowHasNoHoleAtHalfItsLength() {
    Limiter window = SegmentedWindow.strict(20, ONE_SECOND, 2).newLimiter(0);
    window.take(20, 10_499 * MS);

    assertThat(window.tryAcquire(1, 11_000 * MS)).isFalse();
    assertThat(window.tryAcquire(1, 11_499 * MS - 1)).isFalse();
    assertThat(window.tryAcquire(20, 11_499 * MS)).isTrue();
  }

  @Test
  void whatComesWithABackwardClockIsCountedInTheNewestSegment() {
    Limiter window = SegmentedWindow.of(100, ONE_SECOND, 2).newLimiter(0);
    window.take(5, 10_000 * MS);
    window.take(7, 9_400 * MS);

    assertThat(window.available(10_000 * MS)).isEqualTo(100 - 12);
    assertThat(window.available(10_999 * MS)).isEqualTo(100 - 12);
  }

  @Test
  void gcraFollowsRedisCell() {
    Limiter gcra = new Gcra(1, Duration.ofSeconds(2), 4).newLimiter(0);
    for (long left = 4; left >= 0; left--) {
      assertThat(gcra.take(1, 0)).isEqualTo(left);
    }
    assertThat(gcra.take(1, 0)).isEqualTo(-2 * SECOND);
    assertThat(gcra.take(1, 1500 * MS)).isEqualTo(-500 * MS);
    assertThat(gcra.take(1, 2000 * MS)).isZero();
    assertThat(gcra.take(1, 20 * SECOND)).isEqualTo(4);
    assertThat(gcra.take(6, 20 * SECOND)).isEqualTo(Limiter.HOPELESS);
  }

  @Test
  void pollingABucketLosesNoFraction() {
    Limiter bucket =
        TokenBucket.of(7, 7, Duration.ofSeconds(10)).withInitialTokens(0).newLimiter(0);
    int admitted = 0;
    for (long ms = 1; ms <= 10_000; ms++) {
      admitted += bucket.tryAcquire(1, ms * MS) ? 1 : 0;
    }
    assertThat(admitted).isEqualTo(7);
  }

  @Test
  void anIntervalBucketIsRefilledAtTheEndOfThePeriod() {
    Limiter bucket = TokenBucket.interval(10, 10, ONE_SECOND).newLimiter(0);
    bucket.drain(0);

    assertThat(bucket.available(SECOND - 1)).isZero();
    assertThat(bucket.available(SECOND)).isEqualTo(10);
  }

  @ParameterizedTest
  @CsvSource({"100, 1", "1001, 2", "0, 0", "1000, 1"})
  void secondsForHumansAreRoundedUp(long millis, long seconds) {
    assertThat(new Decision(false, 1, 0, 0, millis * MS).retryAfterSeconds()).isEqualTo(seconds);
  }

  @Test
  void aProbeTakesNothing() {
    Limiter limiter = new SlidingLog(1, ONE_SECOND).newLimiter(0);
    assertThat(limiter.take(0, 0)).isEqualTo(1);
    assertThat(limiter.take(1, 0)).isZero();
    assertThat(limiter.take(0, MS)).isEqualTo(-999 * MS);
  }

  /** The kinds that the contract of keyed limiters does not have. */
  @Test
  void permitsAreRestoredWhoeverTookThem() {
    for (Limit limit :
        List.of(
            SegmentedWindow.strict(10, Duration.ofSeconds(60), 6),
            new SegmentedWindow(10, Duration.ofSeconds(60), 6, false),
            new TokenBucket(10, 10, Duration.ofSeconds(60), Refill.INTERVAL, 10))) {
      Limiter limiter = limit.newLimiter(0);
      limiter.take(6, 0);
      limiter.take(4, SECOND);
      assertThat(limiter.restore(7, 2 * SECOND)).as("%s", limit).isEqualTo(7);
      assertThat(limiter.restore(100, 2 * SECOND)).isEqualTo(10);
      assertThat(limiter.take(10, 2 * SECOND)).isZero();
      limiter.discard(2 * SECOND);
      assertThat(limiter.restore(1, 2 * SECOND)).isEqualTo(-1);
    }
  }
}
