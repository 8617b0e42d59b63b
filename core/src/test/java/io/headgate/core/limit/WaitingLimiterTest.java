package io.headgate.core.limit;

import static io.headgate.core.limit.QueueOrder.NEWEST_FIRST;
import static io.headgate.core.limit.QueueOrder.OLDEST_FIRST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Most cases are those of .NET's tests: a tick is a segment of a second. */
class WaitingLimiterTest {

  private static final long TICK = 1_000_000_000L;
  private static final long LONG = 1000 * TICK;

  private final ManualLoop loop = new ManualLoop();

  private WaitingLimiter window(long permits, int segments, long queue, QueueOrder order) {
    Limit limit = SegmentedWindow.of(permits, Duration.ofSeconds(segments), segments);
    return new WaitingLimiter(limit.newLimiter(0), queue, order, loop);
  }

  private void tick() {
    loop.advance(TICK);
  }

  private static boolean granted(CompletableFuture<Decision> answer) {
    return answer.isDone() && answer.join().allowed();
  }

  private static boolean denied(CompletableFuture<Decision> answer) {
    return answer.isDone() && !answer.join().allowed();
  }

  @Test
  void theNewestTakesThePlaceOfTheOldestInAFullQueue() {
    WaitingLimiter limiter = window(4, 3, 4, NEWEST_FIRST);
    assertThat(granted(limiter.acquireAsync(2, LONG))).isTrue();
    CompletableFuture<Decision> b = limiter.acquireAsync(3, LONG);
    assertThat(b).isNotDone();
    tick();
    assertThat(granted(limiter.acquireAsync(2, LONG))).isTrue();
    tick();
    CompletableFuture<Decision> d = limiter.acquireAsync(2, LONG);
    assertThat(denied(b)).isTrue();
    tick();
    assertThat(granted(d)).isTrue();
    assertThat(d.join().remaining()).isZero();
  }

  @Test
  void theOldestIsNotOvertaken() {
    WaitingLimiter limiter = window(2, 2, 3, OLDEST_FIRST);
    assertThat(limiter.tryAcquire(1).allowed()).isTrue();
    CompletableFuture<Decision> waiter = limiter.acquireAsync(2, LONG);
    Decision overtaking = limiter.tryAcquire(1);
    assertThat(overtaking.allowed()).isFalse();
    assertThat(overtaking.remaining()).isEqualTo(1);
    tick();
    assertThat(waiter).isNotDone();
    tick();
    assertThat(granted(waiter)).isTrue();
  }

  @Test
  void theNewestOvertakes() {
    WaitingLimiter limiter = window(2, 2, 3, NEWEST_FIRST);
    limiter.tryAcquire(1);
    CompletableFuture<Decision> waiter = limiter.acquireAsync(2, LONG);
    assertThat(limiter.tryAcquire(1).allowed()).isTrue();
    tick();
    tick();
    assertThat(granted(waiter)).isTrue();
  }

  @Test
  void theOldestAreServedInOrder() {
    WaitingLimiter limiter = window(2, 2, 3, OLDEST_FIRST);
    limiter.tryAcquire(2);
    CompletableFuture<Decision> b = limiter.acquireAsync(1, LONG);
    CompletableFuture<Decision> c = limiter.acquireAsync(2, LONG);
    tick();
    assertThat(b).isNotDone();
    tick();
    assertThat(granted(b)).isTrue();
    assertThat(b.join().remaining()).isEqualTo(1);
    assertThat(c).isNotDone();
    tick();
    tick();
    assertThat(granted(c)).isTrue();
  }

  @Test
  void theNewestIsServedFirst() {
    WaitingLimiter limiter = window(2, 2, 3, NEWEST_FIRST);
    limiter.tryAcquire(2);
    CompletableFuture<Decision> b = limiter.acquireAsync(2, LONG);
    CompletableFuture<Decision> c = limiter.acquireAsync(1, LONG);
    tick();
    tick();
    assertThat(granted(c)).isTrue();
    assertThat(b).isNotDone();
    tick();
    tick();
    assertThat(granted(b)).isTrue();
  }

  @Test
  void aFullQueueOfTheNewestEvictsAsManyAsItMust() {
    WaitingLimiter limiter = window(2, 2, 2, NEWEST_FIRST);
    limiter.tryAcquire(2);
    CompletableFuture<Decision> a = limiter.acquireAsync(1, LONG);
    CompletableFuture<Decision> b = limiter.acquireAsync(1, LONG);
    CompletableFuture<Decision> c = limiter.acquireAsync(2, LONG);
    assertThat(denied(a)).isTrue();
    assertThat(denied(b)).isTrue();
    tick();
    tick();
    assertThat(granted(c)).isTrue();
  }

  @Test
  void whatIsLargerThanTheQueueIsDeniedAtOnce() {
    WaitingLimiter limiter = window(2, 2, 1, NEWEST_FIRST);
    limiter.tryAcquire(2);
    CompletableFuture<Decision> a = limiter.acquireAsync(1, LONG);
    assertThat(denied(limiter.acquireAsync(2, LONG))).isTrue();
    tick();
    tick();
    assertThat(granted(a)).isTrue();
  }

  @Test
  void aProbeWaitsForAPermitAndTakesNone() {
    WaitingLimiter limiter = window(1, 2, 1, OLDEST_FIRST);
    limiter.tryAcquire(1);
    assertThat(limiter.tryAcquire(0).allowed()).isFalse();
    CompletableFuture<Decision> probe = limiter.acquireAsync(0, LONG);
    tick();
    tick();
    assertThat(granted(probe)).isTrue();
    assertThat(probe.join().remaining()).isEqualTo(1);
  }

  @Test
  void aCancelledWaiterGivesItsPlaceBackOnce() {
    WaitingLimiter limiter = window(2, 2, 1, OLDEST_FIRST);
    limiter.tryAcquire(2);
    CompletableFuture<Decision> cancelled = limiter.acquireAsync(1, LONG);
    assertThat(denied(limiter.acquireAsync(1, LONG))).isTrue();
    cancelled.cancel(true);
    cancelled.cancel(true);
    assertThat(limiter.queued()).isZero();
    CompletableFuture<Decision> next = limiter.acquireAsync(1, LONG);
    tick();
    tick();
    assertThat(granted(next)).isTrue();
    assertThat(next.join().remaining()).isEqualTo(1);
    limiter.close();
    assertThat(cancelled).isCancelled();
  }

  @Test
  void whoCancelsClearsTheWayForOthers() {
    WaitingLimiter limiter = window(2, 2, 3, OLDEST_FIRST);
    limiter.tryAcquire(1);
    CompletableFuture<Decision> large = limiter.acquireAsync(2, LONG);
    CompletableFuture<Decision> small = limiter.acquireAsync(1, LONG);
    large.cancel(false);
    loop.advance(0);
    assertThat(granted(small)).isTrue();
  }

  @Test
  void failsAtOnceIfTheWaitWouldBeTooLong() {
    Limiter bucket = TokenBucket.of(1, 1, Duration.ofSeconds(10)).newLimiter(0);
    WaitingLimiter limiter = new WaitingLimiter(bucket, 10, OLDEST_FIRST, loop);
    limiter.tryAcquire(1);

    CompletableFuture<Decision> answer = limiter.acquireAsync(1, TICK);

    assertThat(denied(answer)).isTrue();
    assertThat(answer.join().retryAfterNanos()).isEqualTo(10 * TICK);
    loop.advance(10 * TICK);
    assertThat(limiter.tryAcquire(1).allowed()).isTrue(); // it took nothing
  }

  @Test
  void theWaitCountsThoseAhead() {
    Limiter bucket = TokenBucket.of(1, 1, Duration.ofSeconds(1)).newLimiter(0);
    WaitingLimiter limiter = new WaitingLimiter(bucket, 10, OLDEST_FIRST, loop);
    limiter.tryAcquire(1);
    CompletableFuture<Decision> first = limiter.acquireAsync(1, 3 * TICK);
    CompletableFuture<Decision> second = limiter.acquireAsync(1, 3 * TICK);
    CompletableFuture<Decision> third = limiter.acquireAsync(1, 3 * TICK);
    CompletableFuture<Decision> fourth = limiter.acquireAsync(1, 3 * TICK);
    assertThat(denied(fourth)).isTrue();
    assertThat(fourth.join().retryAfterNanos()).isEqualTo(4 * TICK);
    tick();
    assertThat(granted(first)).isTrue();
    assertThat(second).isNotDone();
    tick();
    tick();
    assertThat(granted(second)).isTrue();
    assertThat(granted(third)).isTrue();
  }

  @Test
  void aTimeoutGivesThePlaceBack() {
    WaitingLimiter limiter = window(2, 2, 1, NEWEST_FIRST);
    limiter.tryAcquire(2);
    CompletableFuture<Decision> waiter = limiter.acquireAsync(1, 2 * TICK + 5);
    loop.advance(2 * TICK - 1);
    limiter.tryAcquire(1);
    tick();
    assertThat(waiter).isDone();
    assertThat(limiter.queued()).isZero();
    assertThat(loop.pending()).isLessThanOrEqualTo(1);
  }

  @Test
  void closingDeniesAllThatWaitAndAllThatCome() {
    WaitingLimiter limiter = window(1, 2, 5, OLDEST_FIRST);
    limiter.tryAcquire(1);
    CompletableFuture<Decision> waiter = limiter.acquireAsync(1, LONG);
    limiter.close();
    assertThat(denied(waiter)).isTrue();
    assertThat(denied(limiter.acquireAsync(1, LONG))).isTrue();
  }

  @Test
  void whatIsAboveTheLimitIsNotQueued() {
    WaitingLimiter limiter = window(2, 2, 10, OLDEST_FIRST);
    assertThat(limiter.acquireAsync(3, LONG).join().isHopeless()).isTrue();
  }

  @Test
  void aFullQueueDeniesNewcomersThoughPermitsAreLeft() {
    WaitingLimiter limiter = window(100, 2, 50, OLDEST_FIRST);
    assertThat(limiter.tryAcquire(60).allowed()).isTrue();
    CompletableFuture<Decision> waiter = limiter.acquireAsync(50, LONG);
    assertThat(limiter.tryAcquire(0).remaining()).isEqualTo(40);
    tick();
    assertThat(denied(limiter.acquireAsync(1, LONG))).isTrue();
    assertThat(limiter.tryAcquire(100).allowed()).isFalse();
    tick();
    assertThat(granted(waiter)).isTrue();
    assertThat(waiter.join().remaining()).isEqualTo(50);
  }

  @ParameterizedTest
  @EnumSource
  void eachRequestIsGrantedDeniedOrCancelledOnceAndNoPermitIsLost(QueueOrder order) {
    for (long seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      WaitingLimiter limiter = window(5, 4, 8, order);
      List<CompletableFuture<Decision>> asked = new ArrayList<>();
      for (int step = 0; step < 100; step++) {
        asked.add(limiter.acquireAsync(random.nextInt(4), random.nextLong(6 * TICK)));
        asked.get(random.nextInt(asked.size())).cancel(false);
        loop.advance(random.nextLong(TICK));
      }
      loop.advance(20 * TICK);
      assertThat(asked).allMatch(CompletableFuture::isDone);
      assertThat(limiter.queued()).isZero();
      assertThat(limiter.tryAcquire(5).allowed()).isTrue();
      assertThat(loop.pending()).isZero();
    }
  }

  @Test
  void theQueueLimitIsChecked() {
    assertThatThrownBy(() -> window(2, 2, -1, OLDEST_FIRST))
        .hasMessage("queueLimit: -1 (expected: 0 to 9007199254740991)");
  }
}
