package io.headgate.keyed.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.core.limit.FixedWindow;
import io.headgate.core.limit.Limit;
import io.headgate.core.limit.SegmentedWindow;
import io.headgate.core.limit.SlidingCounter;
import io.headgate.core.limit.SlidingLog;
import io.headgate.core.limit.TokenBucket;
import io.headgate.keyed.KeyedDecision;
import io.headgate.keyed.KeyedLimiter;
import io.headgate.keyed.KeyedLimiterContract;
import io.headgate.keyed.NamedLimit;
import java.time.Duration;
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
            "headgate:{a:%7B4%252%7D}:sliding-log",
            "headgate:{b:%7B4%252%7D}:fixed-window",
            "headgate:{c:%7B4%252%7D}:sliding-counter",
            "headgate:{d:%7B4%252%7D}:flow");
    for (String key : server.redis().keys("headgate:*")) {
      assertThat(server.redis().pttl(key)).isBetween(1L, 3000L);
    }
  }

  @Test
  void aLostStateIsACleanStart() {
    NamedLimit limit = NamedLimit.of("lost", new SlidingLog(5, MINUTE));
    ask(limit, "42", 5);
    server.redis().del("headgate:{lost:42}:sliding-log");
    assertThat(ask(limit, "42", 5).allowed()).isTrue();
    assertThat(allows(limit, "42")).isFalse();
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
    server.redis().set("headgate:{wrong:42}:sliding-log", "no list");
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
