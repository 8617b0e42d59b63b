package io.headgate.keyed;

import static io.headgate.core.limit.QueueOrder.NEWEST_FIRST;
import static io.headgate.core.limit.QueueOrder.OLDEST_FIRST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.core.limit.QueueOrder;
import io.headgate.core.limit.SlidingLog;
import io.headgate.core.limit.TokenBucket;
import io.headgate.core.time.EventLoop;
import io.headgate.keyed.local.LocalKeyedLimiter;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WaitingKeyedLimiterTest {

  private static final long SECOND = 1_000_000_000L;

  /** One permit a second, and no more than one at a time. */
  private static final NamedLimit ONE =
      NamedLimit.of("one", TokenBucket.of(1, 1, Duration.ofSeconds(1)));

  /** Time that the test moves. */
  private static final class Time implements EventLoop {

    private final TreeMap<Long, Runnable> tasks = new TreeMap<>();
    private long now = 3600 * SECOND;

    void advance(long nanos) {
      long until = now + nanos;
      while (!tasks.isEmpty() && tasks.firstKey() <= until) {
        now = Math.max(now, tasks.firstKey());
        tasks.pollFirstEntry().getValue().run();
      }
      now = until;
    }

    @Override
    public long nanoTime() {
      return now;
    }

    @Override
    public void execute(Runnable task) {
      schedule(0, task);
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
      long at = now + Math.max(0, delayNanos);
      tasks.merge(
          at,
          task,
          (first, then) ->
              () -> {
                first.run();
                then.run();
              });
      return () -> {};
    }

    @Override
    public boolean isCurrent() {
      return true;
    }
  }

  private final Time time = new Time();
  private final LocalKeyedLimiter local =
      LocalKeyedLimiter.builder().nanoClock(time::nanoTime).build();

  private WaitingKeyedLimiter waiting(long queue, QueueOrder order) {
    return new WaitingKeyedLimiter(local, queue, order, time);
  }

  private static boolean granted(CompletableFuture<KeyedDecision> answer) {
    return answer.isDone() && answer.join().allowed();
  }

  private static boolean denied(CompletableFuture<KeyedDecision> answer) {
    return answer.isDone() && !answer.join().allowed();
  }

  @Test
  void whoWaitsLongestForAKeyIsServedFirstAndKeysDoNotWaitForOneAnother() {
    WaitingKeyedLimiter limiter = waiting(5, OLDEST_FIRST);
    assertThat(granted(limiter.acquireAsync(ONE, "42", 1, 0))).isTrue();
    CompletableFuture<KeyedDecision> first = limiter.acquireAsync(ONE, "42", 1, 9 * SECOND);
    CompletableFuture<KeyedDecision> second = limiter.acquireAsync(ONE, "42", 1, 9 * SECOND);
    assertThat(granted(limiter.acquireAsync(ONE, "43", 1, 9 * SECOND))).isTrue();
    assertThat(limiter.queued(ONE, "42")).isEqualTo(2);

    time.advance(SECOND);
    assertThat(granted(first)).isTrue();
    assertThat(second).isNotDone();
    time.advance(SECOND);
    assertThat(granted(second)).isTrue();
    assertThat(limiter.queues()).isZero();
  }

  @Test
  void theNewestTakesThePlaceOfTheOldestInAFullQueue() {
    WaitingKeyedLimiter limiter = waiting(1, NEWEST_FIRST);
    limiter.acquireAsync(ONE, "42", 1, 0);
    CompletableFuture<KeyedDecision> first = limiter.acquireAsync(ONE, "42", 1, 9 * SECOND);
    CompletableFuture<KeyedDecision> second = limiter.acquireAsync(ONE, "42", 1, 9 * SECOND);
    assertThat(denied(first)).isTrue();
    time.advance(SECOND);
    assertThat(granted(second)).isTrue();
  }

  @Test
  void failsAtOnceIfTheWaitBehindOthersWouldBeTooLong() {
    WaitingKeyedLimiter limiter = waiting(9, OLDEST_FIRST);
    limiter.acquireAsync(ONE, "42", 1, 0);
    limiter.acquireAsync(ONE, "42", 1, 2 * SECOND);
    limiter.acquireAsync(ONE, "42", 1, 2 * SECOND);
    CompletableFuture<KeyedDecision> third = limiter.acquireAsync(ONE, "42", 1, 2 * SECOND);
    assertThat(denied(third)).isTrue();
    assertThat(third.join().decision().retryAfterNanos()).isEqualTo(3 * SECOND);
    assertThat(denied(limiter.acquireAsync(ONE, "42", 2, 99 * SECOND))).isTrue(); // hopeless
  }

  @Test
  void cancellingAndTheTimeoutGiveThePlaceBackOnce() {
    WaitingKeyedLimiter limiter = waiting(1, OLDEST_FIRST);
    limiter.acquireAsync(ONE, "42", 1, 0);
    CompletableFuture<KeyedDecision> cancelled = limiter.acquireAsync(ONE, "42", 1, 9 * SECOND);
    assertThat(denied(limiter.acquireAsync(ONE, "42", 1, 9 * SECOND))).isTrue();
    cancelled.cancel(true);
    cancelled.cancel(true);
    assertThat(limiter.queues()).isZero();
    CompletableFuture<KeyedDecision> next = limiter.acquireAsync(ONE, "42", 1, SECOND);
    local.tryAcquire(ONE, "42", 1);
    time.advance(SECOND / 2);
    assertThat(next).isNotDone();
    time.advance(SECOND / 2 - 1);
    assertThat(limiter.queued(ONE, "42")).isEqualTo(1);
    time.advance(1);
    assertThat(granted(next)).isTrue();
    assertThat(limiter.queues()).isZero();
  }

  @Test
  void whoIsOvertakenByOthersUntilItsTimeIsOverIsDenied() {
    WaitingKeyedLimiter limiter = waiting(1, OLDEST_FIRST);
    limiter.acquireAsync(ONE, "42", 1, 0);
    CompletableFuture<KeyedDecision> waiter = limiter.acquireAsync(ONE, "42", 1, SECOND + 5);
    time.now += SECOND; // another thread is quicker than the timer
    local.tryAcquire(ONE, "42", 1);
    time.advance(5);
    assertThat(denied(waiter)).isTrue();
    assertThat(limiter.queues()).isZero();
  }

  @Test
  void aRaisedLimitActsOnThoseWhoWait() {
    WaitingKeyedLimiter limiter = waiting(9, OLDEST_FIRST);
    NamedLimit slow = NamedLimit.of("log", new SlidingLog(1, Duration.ofSeconds(9)));
    NamedLimit quick = NamedLimit.of("log", new SlidingLog(3, Duration.ofSeconds(9)));
    limiter.acquireAsync(slow, "42", 1, 0);
    CompletableFuture<KeyedDecision> waiter = limiter.acquireAsync(slow, "42", 1, 60 * SECOND);
    limiter.acquireAsync(quick, "42", 1, 60 * SECOND);
    time.advance(9 * SECOND);
    assertThat(granted(waiter)).isTrue();
    assertThat(limiter.queues()).isZero();
  }

  @Test
  void closingDeniesAllThatWaitAndAllThatCome() {
    WaitingKeyedLimiter limiter = waiting(9, OLDEST_FIRST);
    limiter.acquireAsync(ONE, "42", 1, 0);
    CompletableFuture<KeyedDecision> waiter = limiter.acquireAsync(ONE, "42", 1, 9 * SECOND);
    limiter.close();
    assertThat(denied(waiter)).isTrue();
    assertThat(denied(limiter.acquireAsync(ONE, "43", 1, 9 * SECOND))).isTrue();
  }

  @Test
  void mistakesAreNamedAndLeaveNoQueue() {
    assertThatThrownBy(() -> waiting(-1, OLDEST_FIRST))
        .hasMessage("queueLimit: -1 (expected: 0 to 9007199254740991)");
    WaitingKeyedLimiter limiter = waiting(1, OLDEST_FIRST);
    assertThatThrownBy(() -> limiter.acquireAsync(ONE, "42", -1, 0))
        .hasMessage("cost: -1 (expected: 0 or more)");
    assertThat(limiter.queues()).isZero();
  }

  /** In real time, on many threads: what is granted and kept is what the limit says. */
  @Test
  void underLoadNoPermitIsLostAndNoneGrantedTwice() throws Exception {
    NamedLimit limit = NamedLimit.of("load", TokenBucket.of(20, 1000, Duration.ofSeconds(1)));
    ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
    AtomicInteger kept = new AtomicInteger();
    long begun = System.nanoTime();
    try (LocalKeyedLimiter real = LocalKeyedLimiter.create();
        WaitingKeyedLimiter limiter = WaitingKeyedLimiter.of(real, 500, OLDEST_FIRST, timer)) {
      List<CompletableFuture<KeyedDecision>> asked =
          IntStream.range(0, 400)
              .mapToObj(request -> limiter.acquireAsync(limit, "42", 1, 5 * SECOND))
              .toList();
      for (CompletableFuture<KeyedDecision> each : asked) {
        if (ThreadLocalRandom.current().nextInt(4) == 0) {
          each.cancel(false);
        }
      }
      for (CompletableFuture<KeyedDecision> each : asked) {
        if (!each.isCancelled()) {
          assertThat(each.get(5, TimeUnit.SECONDS).allowed()).isTrue();
          kept.incrementAndGet();
        }
      }
      double seconds = (System.nanoTime() - begun) / 1e9;
      assertThat(kept.get()).isBetween(1, 20 + (int) Math.ceil(seconds * 1000));
      assertThat(limiter.queues()).isZero();
    } finally {
      timer.shutdownNow();
    }
  }
}
