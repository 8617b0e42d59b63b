package io.headgate.keyed.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.core.limit.FixedWindow;
import io.headgate.core.limit.Limit;
import io.headgate.core.limit.SegmentedWindow;
import io.headgate.core.limit.SlidingCounter;
import io.headgate.core.limit.SlidingLog;
import io.headgate.core.limit.TokenBucket;
import io.headgate.keyed.Charge;
import io.headgate.keyed.Hit;
import io.headgate.keyed.KeyedDecision;
import io.headgate.keyed.KeyedLimiter;
import io.headgate.keyed.KeyedLimiterContract;
import io.headgate.keyed.NamedLimit;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The contract on a real Redis, whose scripts tell the time by a key that the test sets. */
@Tag("process")
class RedisKeyedLimiterTest extends KeyedLimiterContract {

  private static final String TEST_CLOCK =
      "local function clock() return tonumber(redis.call('GET', 'test:clock')) end\n";

  /** A time with 16 digits, which Lua's tostring would round. */
  private static final long START = 1_796_007_600_000_000L;

  private static RedisServer server;
  private RedisKeyedLimiter limiter;

  @BeforeAll
  static void startRedis() {
    server = RedisServer.start();
  }

  @AfterAll
  static void stopRedis() {
    server.close();
  }

  @BeforeEach
  void connect() {
    server.redis().flushall();
    server.redis().set("test:clock", Long.toString(START));
    limiter = builder().build();
  }

  private static RedisKeyedLimiterBuilder builder() {
    return RedisKeyedLimiter.builder()
        .redis(server.uri())
        .timeout(Duration.ofSeconds(10))
        .outagePolicy(OutagePolicy.CLOSED)
        .luaClock(TEST_CLOCK);
  }

  @AfterEach
  void disconnect() {
    limiter.close();
  }

  @Override
  protected KeyedLimiter limiter() {
    return limiter;
  }

  @Override
  protected void advance(Duration time) {
    server.redis().incrby("test:clock", time.toNanos() / 1000);
  }

  private void goBack(Duration time) {
    server.redis().decrby("test:clock", time.toNanos() / 1000);
  }

  @Test
  void aServerWhoseClockStepsBackGrantsNothingTwice() {
    for (Limit limit :
        new Limit[] {
          TokenBucket.of(10, 10, Duration.ofSeconds(10)),
          new SlidingLog(10, Duration.ofSeconds(10)),
          new SlidingCounter(10, Duration.ofSeconds(10)),
          new FixedWindow(10, Duration.ofSeconds(10))
        }) {
      NamedLimit named = NamedLimit.of("back", limit);
      String key = limit.getClass().getSimpleName();
      assertThat(ask(named, key, 10).allowed()).isTrue();
      goBack(Duration.ofSeconds(10));
      assertThat(ask(named, key, 1).allowed()).isFalse();
      advance(Duration.ofSeconds(10));
      assertThat(ask(named, key, 10).allowed()).isFalse();
    }
  }

  @Test
  void smallNumbersStillLimit() {
    NamedLimit limit = NamedLimit.of("small", TokenBucket.of(1, 3, SECOND));
    assertThat(allows(limit, "42")).isTrue();
    KeyedDecision denied = ask(limit, "42", 1);
    assertThat(denied.decision().retryAfterNanos()).isEqualTo(333_334_000);
  }

  @Test
  void aPermitIsCountedUntilItIsExactlyAWindowOld() {
    NamedLimit limit = NamedLimit.of("exact", new SlidingLog(1, SECOND));
    ask(limit, "42", 1);
    advance(Duration.ofMillis(999));
    assertThat(ask(limit, "42", 1).decision().retryAfterNanos()).isEqualTo(1_000_000);
    advance(Duration.ofMillis(1));
    assertThat(allows(limit, "42")).isTrue();
  }

  @Test
  void aLimiterIsOneKeyWithATimeToLive() {
    NamedLimit[] limits = {
      NamedLimit.of("a", new SlidingLog(10, SECOND)),
      NamedLimit.of("b", new FixedWindow(10, SECOND)),
      NamedLimit.of("c", new SlidingCounter(10, SECOND)),
      NamedLimit.of("d", TokenBucket.of(10, 10, SECOND))
    };
    for (NamedLimit limit : limits) {
      ask(limit, "{4%2}", 3);
    }
    assertThat(server.redis().keys("headgate:*"))
        .containsExactlyInAnyOrder(
            "headgate:{%7B4%252%7D}:a",
            "headgate:{%7B4%252%7D}:b", "headgate:{%7B4%252%7D}:c", "headgate:{%7B4%252%7D}:d");
    for (String key : server.redis().keys("headgate:*")) {
      assertThat(server.redis().pttl(key)).isBetween(1L, 3000L);
    }
  }

  @Test
  void aLostStateIsACleanStartAndIsCounted() {
    NamedLimit limit = NamedLimit.of("lost", new SlidingLog(5, MINUTE));
    ask(limit, "42", 5);
    assertThat(limiter.lostStates()).isZero();
    server.redis().del("headgate:{42}:lost");
    assertThat(ask(limit, "42", 5).allowed()).isTrue();
    assertThat(allows(limit, "42")).isFalse();
    assertThat(limiter.lostStates()).isEqualTo(1);
  }

  @Test
  void aFlushIsSeenByManyKeys() {
    NamedLimit limit = NamedLimit.of("flush", TokenBucket.of(10, 10, MINUTE));
    for (int round = 0; round < 2; round++) {
      for (int key = 0; key < 50; key++) {
        ask(limit, "key" + key, 1);
      }
      assertThat(limiter.lostStates()).isEqualTo(round == 0 ? 0 : 50);
      server.redis().del(server.redis().keys("headgate:*").toArray(String[]::new));
    }
  }

  @Test
  void whatWasGivenBackIsNotTakenForLost() {
    NamedLimit limit = NamedLimit.of("refund", new SlidingLog(5, MINUTE));
    Charge charge = limiter.charge(List.of(Hit.of(limit, "42"))).toCompletableFuture().join();
    charge.giveBack().run();
    assertThat(ask(limit, "42", 0).decision().remaining()).isEqualTo(5);
    assertThat(server.redis().pttl("headgate:{42}:refund")).isGreaterThan(50_000);
    assertThat(limiter.lostStates()).isZero();
  }

  @Test
  void anotherAlgorithmTakesOverALiveKey() {
    changesEveryAlgorithmOnALiveKey();
  }

  @Test
  void anotherAlgorithmCountsWhatHasComeBackMeanwhile() {
    NamedLimit bucket = NamedLimit.of("taken-over", TokenBucket.of(10, 10, MINUTE));
    NamedLimit log = NamedLimit.of("taken-over", new SlidingLog(10, MINUTE));
    ask(bucket, "42", 10);
    advance(Duration.ofSeconds(30));
    assertThat(ask(log, "42", 0).decision().remaining()).isEqualTo(5);
    advance(Duration.ofSeconds(59));
    assertThat(ask(log, "42", 0).decision().remaining()).isEqualTo(5);
    advance(SECOND);
    assertThat(ask(log, "42", 0).decision().remaining()).isEqualTo(10);
    assertThat(server.redis().keys("headgate:*")).hasSize(1);
  }

  @Test
  void severalLimitsAreOneCommand() {
    Hit[] hits = {
      Hit.of(NamedLimit.of("a", new SlidingLog(10, MINUTE)), "42"),
      Hit.of(NamedLimit.of("b", TokenBucket.of(10, 10, MINUTE)), "43"),
      Hit.of(NamedLimit.of("c", new FixedWindow(1, MINUTE)), "44"),
    };
    ask(hits);
    server.redis().configResetstat();
    assertThat(ask(hits).allowed()).isFalse();
    assertThat(server.redis().info("commandstats")).contains("cmdstat_evalsha:calls=1,");
    assertThat(ask(hits[0].limit(), "42", 0).decision().remaining()).isEqualTo(9);
    assertThat(ask(hits[1].limit(), "43", 0).decision().remaining()).isEqualTo(9);
  }

  @Test
  void nobodySeesALimitChargedByARefusedRequest() {
    NamedLimit a = NamedLimit.of("a", new SlidingLog(10, MINUTE));
    NamedLimit b = NamedLimit.of("b", new FixedWindow(1, SECOND));
    List<Hit> both = List.of(new Hit(a, "42", 10), Hit.of(b, "42"));
    ask(b, "42", 1);
    try (RedisKeyedLimiter observer = builder().build()) {
      for (int round = 0; round < 500; round++) {
        var refused = limiter.check(both).toCompletableFuture();
        var seen = observer.check(a, "42", 0).toCompletableFuture();
        assertThat(seen.join().decision().remaining()).isEqualTo(10);
        assertThat(refused.join().allowed()).isFalse();
      }
    }
  }

  @Test
  void aLimitInShadowRefusesNothingInOneStep() {
    NamedLimit a = NamedLimit.of("a", new SlidingLog(10, MINUTE));
    NamedLimit shadow = NamedLimit.of("b", new FixedWindow(1, MINUTE)).inShadow();
    ask(Hit.of(a, "42"), Hit.of(shadow, "42"));
    KeyedDecision second = ask(Hit.of(a, "42"), Hit.of(shadow, "42"));
    assertThat(second.allowed()).isTrue();
    assertThat(second.shadowDenied()).isTrue();
    assertThat(ask(a, "42", 0).decision().remaining()).isEqualTo(8);
  }

  @Test
  void aFullRedisIsAnOutageUntilItHasRoom() {
    NamedLimit limit = NamedLimit.of("full", new SlidingLog(4, MINUTE));
    try (RedisKeyedLimiter local =
        builder().outagePolicy(OutagePolicy.LOCAL).knownReplicas(2).build()) {
      server.redis().configSet("maxmemory-policy", "noeviction");
      server.redis().configSet("maxmemory", "1");
      KeyedDecision decision = local.check(limit, "42", 1).toCompletableFuture().join();
      assertThat(decision.degraded()).isTrue();
      assertThat(decision.allowed()).isTrue();
      assertThat(decision.decision().limit()).isEqualTo(2);

      server.redis().configSet("maxmemory", "0");
      Awaitility.await()
          .atMost(Duration.ofSeconds(2))
          .until(() -> !local.check(limit, "43", 0).toCompletableFuture().join().degraded());
    } finally {
      server.redis().configSet("maxmemory", "0");
    }
  }

  @Test
  void anUnknownScriptIsSentAndChargesOnce() {
    NamedLimit limit = NamedLimit.of("flushed", new SlidingLog(5, MINUTE));
    ask(limit, "42", 1);
    server.redis().scriptFlush();
    KeyedDecision decision = ask(limit, "42", 1);
    assertThat(decision.degraded()).isFalse();
    assertThat(decision.decision().remaining()).isEqualTo(3);
  }

  @Test
  void fiftyCallersCostOneCommandEach() {
    NamedLimit limit = NamedLimit.of("hot", TokenBucket.of(1000, 1, Duration.ofHours(1)));
    ask(limit, "42", 0);
    server.redis().configResetstat();
    var answers =
        java.util.stream.IntStream.range(0, 50)
            .mapToObj(caller -> limiter.check(limit, "42", 1).toCompletableFuture())
            .toList();
    answers.forEach(answer -> assertThat(answer.join().allowed()).isTrue());

    assertThat(ask(limit, "42", 0).decision().remaining()).isEqualTo(950);
    assertThat(server.redis().info("commandstats")).contains("cmdstat_evalsha:calls=51,");
  }

  @Test
  void trimmingIsBoundedAndNeverAdmitsMore() {
    NamedLimit limit = NamedLimit.of("trim", new SlidingLog(5000, SECOND));
    for (int request = 0; request < 5000; request++) {
      limiter.check(limit, "42", 1);
      if (request % 500 == 0) {
        advance(Duration.ofNanos(1000));
      }
    }
    assertThat(allows(limit, "42")).isFalse();
    advance(SECOND);
    KeyedDecision first = ask(limit, "42", 1);
    assertThat(first.allowed()).isTrue();
    assertThat(first.decision().remaining()).isEqualTo(999); // of those forgotten at once
    for (int request = 0; request < 5; request++) {
      ask(limit, "42", 1);
    }
    assertThat(ask(limit, "42", 0).decision().remaining()).isEqualTo(4994);
  }

  @Test
  void anErrorOfRedisIsAnOutage() {
    server.redis().set("headgate:{42}:wrong", "no list");
    KeyedDecision decision = ask(NamedLimit.of("wrong", new SlidingLog(5, MINUTE)), "42", 1);
    assertThat(decision.allowed()).isFalse();
    assertThat(decision.degraded()).isTrue();
  }

  @Test
  void whoIsOverIsRememberedWithoutACall() {
    NamedLimit limit = NamedLimit.of("over", new FixedWindow(1, MINUTE));
    try (RedisKeyedLimiter remembering = builder().rememberedKeys(100).build()) {
      remembering.check(limit, "42", 1).toCompletableFuture().join();
      remembering.check(limit, "42", 1).toCompletableFuture().join();
      server.redis().configResetstat();
      for (int request = 0; request < 10; request++) {
        KeyedDecision decision = remembering.check(limit, "42", 1).toCompletableFuture().join();
        assertThat(decision.allowed()).isFalse();
        assertThat(decision.decision().retryAfterNanos()).isBetween(1L, MINUTE.toNanos());
      }
      assertThat(server.redis().info("commandstats")).doesNotContain("cmdstat_evalsha");
    }
  }

  @Test
  void limitsThatRedisCannotCountAreNamed() {
    assertThatThrownBy(() -> limiter.require(NamedLimit.of("x", SegmentedWindow.of(1, MINUTE, 6))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("x: SegmentedWindow[")
        .hasMessageContaining("expected in Redis: a greedy token bucket");
    assertThatThrownBy(
            () -> limiter.require(NamedLimit.of("x", new FixedWindow(1, Duration.ofNanos(1500)))))
        .hasMessage("x: PT0.0000015S (expected in Redis: whole microseconds)");
    assertThatThrownBy(
            () ->
                limiter.require(
                    NamedLimit.of("x", new SlidingCounter(1L << 50, Duration.ofDays(1)))))
        .hasMessageStartingWith("x: limit times window: ");
  }

  @Test
  void settingsAreChecked() {
    assertThatThrownBy(() -> builder().knownReplicas(0))
        .hasMessage("knownReplicas: 0 (expected: 1 or more)");
    assertThatThrownBy(() -> builder().timeout(Duration.ZERO))
        .hasMessage("timeout: PT0S (expected: 1 ms or more)");
    assertThatThrownBy(() -> builder().prefix("{a}"))
        .hasMessage("prefix: '{a}' (expected: no braces)");
  }
}
