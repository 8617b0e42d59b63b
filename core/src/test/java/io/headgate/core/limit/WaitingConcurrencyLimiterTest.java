package io.headgate.core.limit;

import static io.headgate.core.limit.QueueOrder.NEWEST_FIRST;
import static io.headgate.core.limit.QueueOrder.OLDEST_FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.core.limit.WaitingConcurrencyLimiter.Lease;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class WaitingConcurrencyLimiterTest {

  private static final long SECOND = 1_000_000_000L;

  private final ManualLoop loop = new ManualLoop();
  private final ConcurrencyLimiter two = new ConcurrencyLimiter(2);

  private WaitingConcurrencyLimiter waiting(long queue, QueueOrder order) {
    return new WaitingConcurrencyLimiter(two, queue, order, loop);
  }

  private void release(CompletableFuture<Lease> granted) {
    granted.join().close();
    loop.advance(0);
  }

  private static boolean granted(CompletableFuture<Lease> answer) {
    return answer.isDone() && answer.join().isGranted();
  }

  private static boolean denied(CompletableFuture<Lease> answer) {
    return answer.isDone() && !answer.join().isGranted();
  }

  @Test
  void theOldestGetsWhatIsGivenBack() {
    WaitingConcurrencyLimiter limiter = waiting(5, OLDEST_FIRST);
    CompletableFuture<Lease> holder = limiter.acquireAsync(2, SECOND);
    CompletableFuture<Lease> first = limiter.acquireAsync(2, SECOND);
    CompletableFuture<Lease> second = limiter.acquireAsync(1, SECOND);
    assertThat(limiter.queued()).isEqualTo(3);

    release(holder);
    assertThat(granted(first)).isTrue();
    assertThat(second).isNotDone();
    release(first);
    assertThat(granted(second)).isTrue();
    assertThat(two.available()).isEqualTo(1);
  }

  @Test
  void theNewestTakesThePlaceOfTheOldest() {
    WaitingConcurrencyLimiter limiter = waiting(1, NEWEST_FIRST);
    CompletableFuture<Lease> holder = limiter.acquireAsync(2, SECOND);
    CompletableFuture<Lease> first = limiter.acquireAsync(1, SECOND);
    CompletableFuture<Lease> second = limiter.acquireAsync(1, SECOND);

    assertThat(denied(first)).isTrue();
    release(holder);
    assertThat(granted(second)).isTrue();
  }

  @Test
  void aFullQueueAndATooLargeRequestAreDeniedAtOnce() {
    WaitingConcurrencyLimiter limiter = waiting(1, OLDEST_FIRST);
    limiter.acquireAsync(2, SECOND);
    limiter.acquireAsync(1, SECOND);
    assertThat(denied(limiter.acquireAsync(1, SECOND))).isTrue();
    assertThat(denied(limiter.acquireAsync(3, SECOND))).isTrue();
  }

  @Test
  void aTimeoutAndCancellingGiveThePlaceBack() {
    WaitingConcurrencyLimiter limiter = waiting(2, OLDEST_FIRST);
    CompletableFuture<Lease> holder = limiter.acquireAsync(2, 0);
    CompletableFuture<Lease> late = limiter.acquireAsync(1, SECOND);
    CompletableFuture<Lease> cancelled = limiter.acquireAsync(1, 5 * SECOND);
    cancelled.cancel(true);
    loop.advance(SECOND);
    assertThat(denied(late)).isTrue();
    assertThat(limiter.queued()).isZero();

    release(holder);
    assertThat(two.available()).isEqualTo(2);
  }

  @Test
  void aRaisedLimitServesThoseWhoWait() {
    WaitingConcurrencyLimiter limiter = waiting(5, OLDEST_FIRST);
    limiter.acquireAsync(2, 0);
    CompletableFuture<Lease> waiter = limiter.acquireAsync(1, SECOND);
    two.changeLimit(3);
    loop.advance(0);
    assertThat(granted(waiter)).isTrue();
  }

  @Test
  void aThousandWhoGiveBackAtOnceAreServedOneAfterTheOther() {
    WaitingConcurrencyLimiter limiter = waiting(1000, OLDEST_FIRST);
    CompletableFuture<Lease> holder = limiter.acquireAsync(2, 0);
    List<Integer> served = new ArrayList<>();
    for (int number = 0; number < 1000; number++) {
      int mine = number;
      limiter
          .acquireAsync(1, SECOND)
          .thenAccept(
              lease -> {
                served.add(mine);
                lease.close();
              });
    }
    release(holder);
    assertThat(served).hasSize(1000).isSorted();
    assertThat(two.available()).isEqualTo(2);
  }

  @Test
  void closingDeniesAllWhoWait() {
    WaitingConcurrencyLimiter limiter = waiting(5, OLDEST_FIRST);
    limiter.acquireAsync(2, 0);
    CompletableFuture<Lease> waiter = limiter.acquireAsync(1, SECOND);
    limiter.close();
    assertThat(denied(waiter)).isTrue();
    assertThat(denied(limiter.acquireAsync(1, SECOND))).isTrue();
  }
}
