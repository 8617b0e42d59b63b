package io.headgate.keyed.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.core.limit.FixedWindow;
import io.headgate.core.limit.QueueOrder;
import io.headgate.core.limit.SlidingLog;
import io.headgate.core.limit.TokenBucket;
import io.headgate.keyed.KeyedDecision;
import io.headgate.keyed.NamedLimit;
import io.headgate.keyed.WaitingKeyedLimiter;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A real Redis by its own clock: how long keys live, waiting, and outages as a caller feels them.
 */
@Tag("process")
class RealTimeTest {

  private static final Duration WINDOW = Duration.ofMillis(300);
  private static final NamedLimit TWO = NamedLimit.of("two", new SlidingLog(2, WINDOW));

  /** How long each outage is at least; longer for a closer look. */
  private static final Duration OUTAGE =
      Duration.ofMillis(Long.getLong("headgate.outage.millis", 500));

  /** So many that a machine which is busy with other things does not make the 99th percentile. */
  private static final int DECISIONS = 20_000;

  private RedisServer server;
  private RedisKeyedLimiter limiter;

  @BeforeEach
  void start() {
    server = RedisServer.start();
    limiter = RedisKeyedLimiter.builder().redis(server.uri()).knownReplicas(2).build();
    Awaitility.await().until(() -> !ask("warm-up").degraded());
  }

  @AfterEach
  void stop() {
    limiter.close();
    server.close();
  }

  private KeyedDecision ask(String key) {
    return limiter.check(TWO, key, 1).toCompletableFuture().join();
  }

  @Test
  void aKeyLivesUntilAllIsBackAndASecondMore() {
    List<NamedLimit> limits =
        List.of(
            TWO,
            NamedLimit.of("window", new FixedWindow(2, WINDOW)),
            NamedLimit.of("bucket", TokenBucket.of(2, 2, WINDOW)));
    for (NamedLimit limit : limits) {
      limiter.check(limit, "42", 2).toCompletableFuture().join();
      assertThat(server.redis().pttl("headgate:{42}:" + limit.name())).isBetween(900L, 1300L);
    }
    Awaitility.await()
        .atMost(Duration.ofSeconds(3))
        .until(() -> server.redis().exists("headgate:{42}:two") == 0);
    assertThat(ask("42").decision().remaining()).isEqualTo(1);
    assertThat(limiter.lostStates()).isZero();
  }

  @Test
  void requestsWaitForAKeyInRedis() throws Exception {
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    long begun = System.nanoTime();
    try (WaitingKeyedLimiter waiting =
        WaitingKeyedLimiter.of(limiter, 10, QueueOrder.OLDEST_FIRST, timer)) {
      List<CompletableFuture<KeyedDecision>> asked =
          IntStream.range(0, 6)
              .mapToObj(i -> waiting.acquireAsync(TWO, "42", 1, TimeUnit.SECONDS.toNanos(5)))
              .toList();
      for (CompletableFuture<KeyedDecision> each : asked) {
        assertThat(each.get(5, TimeUnit.SECONDS).allowed()).isTrue();
      }
      assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(2 * WINDOW.toNanos());
      assertThat(waiting.queues()).isZero();
    } finally {
      timer.shutdownNow();
    }
  }

  @Test
  void aDeadRedisCostsNoTimeAndOneThatIsBackIsUsedWithinTwoSeconds() throws IOException {
    server.kill();
    assertOutageIsQuick();
    server.run();
    assertRedisIsUsedAgain();
  }

  @Test
  void aRedisThatDoesNotAnswerCostsNoTimeOnceThatIsKnown() {
    server.freeze();
    assertOutageIsQuick();
    server.thaw();
    assertRedisIsUsedAgain();
  }

  /** All decisions of the outage count, also those that found out that there is one. */
  private void assertOutageIsQuick() {
    long[] times = new long[5_000_000];
    int count = 0;
    int allowed = 0;
    long begun = System.nanoTime();
    long before = begun;
    while ((before - begun < OUTAGE.toNanos() || count < DECISIONS) && count < times.length) {
      KeyedDecision decision = ask("key" + count % 100);
      assertThat(decision.degraded()).isTrue();
      allowed += decision.allowed() ? 1 : 0;
      long after = System.nanoTime();
      times[count++] = after - before;
      before = after;
    }
    Arrays.sort(times, 0, count);
    long p99 = times[count * 99 / 100];
    System.getLogger("RealTimeTest")
        .log(
            System.Logger.Level.INFO,
            count + " decisions, p99 " + p99 + " ns, longest " + times[count - 1] + " ns");
    assertThat(p99).isLessThanOrEqualTo(2_000_000);
    long windows = (before - begun) / WINDOW.toNanos() + 2;
    assertThat(allowed).isBetween(100, (int) (100 * windows)); // the share of each key is 1
  }

  private void assertRedisIsUsedAgain() {
    long back = System.nanoTime();
    Awaitility.await()
        .atMost(Duration.ofSeconds(2))
        .pollInterval(Duration.ofMillis(10))
        .until(() -> !ask("another").degraded());
    System.getLogger("RealTimeTest")
        .log(System.Logger.Level.INFO, "back after " + (System.nanoTime() - back) / 1e6 + " ms");
  }
}
