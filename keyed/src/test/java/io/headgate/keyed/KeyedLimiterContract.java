package io.headgate.keyed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.core.limit.Decision;
import io.headgate.core.limit.FixedWindow;
import io.headgate.core.limit.Gcra;
import io.headgate.core.limit.Inheritance;
import io.headgate.core.limit.LeakyBucket;
import io.headgate.core.limit.Limit;
import io.headgate.core.limit.SlidingCounter;
import io.headgate.core.limit.SlidingLog;
import io.headgate.core.limit.TokenBucket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What every keyed limiter does, wherever its counts are. A backend's test extends it and says how
 * to make a limiter and how to move the time by which it counts; that time starts at a multiple of
 * an hour.
 */
public abstract class KeyedLimiterContract {

  /** The algorithms that every backend has, at ten permits a minute. */
  enum Algorithm {
    TOKEN_BUCKET(TokenBucket.of(10, 10, MINUTE)),
    LEAKY_BUCKET(new LeakyBucket(10, 10, MINUTE)),
    GCRA(new Gcra(10, MINUTE, 9)),
    FIXED_WINDOW(new FixedWindow(10, MINUTE)),
    SLIDING_LOG(new SlidingLog(10, MINUTE)),
    SLIDING_COUNTER(new SlidingCounter(10, MINUTE));

    final NamedLimit limit;

    Algorithm(Limit limit) {
      this.limit = NamedLimit.of("transfers", limit);
    }
  }

  protected static final Duration MINUTE = Duration.ofMinutes(1);
  protected static final Duration SECOND = Duration.ofSeconds(1);

  /** The limiter under test, over an empty store. */
  protected abstract KeyedLimiter limiter();

  /** Moves the time by which the limiter counts. */
  protected abstract void advance(Duration time);

  protected final KeyedDecision ask(NamedLimit limit, String key, long cost) {
    return limiter().check(limit, key, cost).toCompletableFuture().join();
  }

  protected final KeyedDecision ask(Hit... hits) {
    return limiter().check(List.of(hits)).toCompletableFuture().join();
  }

  protected final KeyedDecision restore(Hit... hits) {
    return limiter().restore(List.of(hits)).toCompletableFuture().join();
  }

  protected final boolean allows(NamedLimit limit, String key) {
    return ask(limit, key, 1).allowed();
  }

  @ParameterizedTest
  @EnumSource
  void admitsTheLimitAndNoMore(Algorithm algorithm) {
    for (long left = 9; left >= 0; left--) {
      KeyedDecision decision = ask(algorithm.limit, "42", 1);
      assertThat(decision.allowed()).isTrue();
      assertThat(decision.degraded()).isFalse();
      assertThat(decision.decision().limit()).isEqualTo(10);
      assertThat(decision.decision().remaining()).isEqualTo(left);
    }
    assertThat(allows(algorithm.limit, "42")).isFalse();
    assertThat(allows(algorithm.limit, "43")).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void aRetryAfterExactlyTheWaitSucceeds(Algorithm algorithm) {
    ask(algorithm.limit, "42", 7);
    advance(Duration.ofMillis(7_001));
    ask(algorithm.limit, "42", 3);
    for (int retry = 0; retry < 5; retry++) {
      KeyedDecision denied = ask(algorithm.limit, "42", 4);
      if (!denied.allowed()) {
        long wait = denied.decision().retryAfterNanos();
        assertThat(wait).isPositive();
        advance(Duration.ofNanos(wait).minus(Duration.ofNanos(1000)));
        assertThat(ask(algorithm.limit, "42", 4).allowed()).isFalse();
        advance(Duration.ofNanos(1000));
        assertThat(ask(algorithm.limit, "42", 4).allowed()).isTrue();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aProbeTakesNothing(Algorithm algorithm) {
    assertThat(ask(algorithm.limit, "42", 0).allowed()).isTrue();
    assertThat(ask(algorithm.limit, "42", 10).allowed()).isTrue();
    assertThat(ask(algorithm.limit, "42", 0).allowed()).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void moreThanTheLimitIsHopelessAndTakesNothing(Algorithm algorithm) {
    KeyedDecision decision = ask(algorithm.limit, "42", 11);
    assertThat(decision.allowed()).isFalse();
    assertThat(decision.decision().isHopeless()).isTrue();
    assertThat(ask(algorithm.limit, "42", 10).allowed()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void everythingIsBackAfterTwoWindows(Algorithm algorithm) {
    ask(algorithm.limit, "42", 10);
    advance(MINUTE.multipliedBy(2));
    assertThat(ask(algorithm.limit, "42", 10).allowed()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void denialsAreFree(Algorithm algorithm) {
    ask(algorithm.limit, "42", 10);
    for (int second = 0; second < 119; second++) {
      advance(SECOND);
      ask(algorithm.limit, "42", 10);
    }
    advance(SECOND);
    advance(MINUTE.multipliedBy(2));
    assertThat(ask(algorithm.limit, "42", 10).allowed()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void aNegativeCostIsAMistake(Algorithm algorithm) {
    assertThatThrownBy(() -> ask(algorithm.limit, "42", -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("cost: -1 (expected: 0 or more)");
  }

  @ParameterizedTest
  @EnumSource
  void fiftyAtTheSameTimeTakeEachOnePermit(Algorithm algorithm) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<Boolean>> answers = new ArrayList<>();
      for (int caller = 0; caller < 50; caller++) {
        answers.add(threads.submit(() -> allows(algorithm.limit, "42")));
      }
      int granted = 0;
      for (Future<Boolean> answer : answers) {
        granted += answer.get() ? 1 : 0;
      }
      assertThat(granted).isEqualTo(10);
    } finally {
      threads.shutdownNow();
    }
  }

  @ParameterizedTest
  @EnumSource
  void keysAreAnyText(Algorithm algorithm) {
    for (String key : new String[] {"", "{a}b", "{a}c", "ä\n\u0000 ", ":", "a:b"}) {
      assertThat(ask(algorithm.limit, key, 10).allowed()).isTrue();
      assertThat(allows(algorithm.limit, key)).isFalse();
    }
  }

  @Test
  void aDeniedRequestIsChargedNowhere() {
    NamedLimit a = NamedLimit.of("a", new FixedWindow(10, MINUTE));
    NamedLimit b = NamedLimit.of("b", new FixedWindow(1, SECOND));
    assertThat(ask(Hit.of(a, "42"), Hit.of(b, "42")).allowed()).isTrue();

    KeyedDecision denied = ask(Hit.of(a, "42"), Hit.of(b, "42"));

    assertThat(denied.allowed()).isFalse();
    assertThat(denied.decidedBy()).isEqualTo(b);
    assertThat(ask(a, "42", 0).decision().remaining()).isEqualTo(9);
  }

  @ParameterizedTest
  @EnumSource
  void everyAlgorithmGivesBackWhatADeniedRequestTook(Algorithm algorithm) {
    NamedLimit narrow = NamedLimit.of("narrow", new FixedWindow(1, SECOND));
    ask(Hit.of(algorithm.limit, "42"), Hit.of(narrow, "42"));
    ask(new Hit(algorithm.limit, "42", 5), Hit.of(narrow, "42"));

    assertThat(ask(algorithm.limit, "42", 0).decision().remaining()).isEqualTo(9);
  }

  @ParameterizedTest
  @EnumSource
  void whatWasTakenCanBeRestoredByAnybody(Algorithm algorithm) {
    ask(algorithm.limit, "42", 4);
    advance(Duration.ofMillis(1));
    ask(algorithm.limit, "42", 6);

    KeyedDecision restored = restore(new Hit(algorithm.limit, "42", 7));

    assertThat(restored.decision().remaining()).isEqualTo(7);
    assertThat(ask(algorithm.limit, "42", 7).allowed()).isTrue();
    assertThat(allows(algorithm.limit, "42")).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void noMoreIsRestoredThanWasTaken(Algorithm algorithm) {
    ask(algorithm.limit, "42", 3);

    assertThat(restore(new Hit(algorithm.limit, "42", 9)).decision().remaining()).isEqualTo(10);
    assertThat(restore(new Hit(algorithm.limit, "new", 1)).decision().remaining()).isEqualTo(10);
    assertThat(ask(algorithm.limit, "42", 10).allowed()).isTrue();
    assertThat(allows(algorithm.limit, "42")).isFalse();
  }

  @Test
  void whatTheWindowBeforeHoldsIsRestoredToo() {
    NamedLimit counter = NamedLimit.of("counter", new SlidingCounter(10, MINUTE));
    ask(counter, "42", 10);
    advance(Duration.ofSeconds(90)); // half of them weigh still

    assertThat(ask(counter, "42", 0).decision().remaining()).isEqualTo(5);
    assertThat(restore(new Hit(counter, "42", 2)).decision().remaining()).isEqualTo(7);
  }

  @Test
  void aDecisionSaysWhatEachLimitSaid() {
    NamedLimit wide = NamedLimit.of("wide", new FixedWindow(10, MINUTE));
    NamedLimit narrow = NamedLimit.of("narrow", new FixedWindow(1, SECOND));

    KeyedDecision both = ask(new Hit(wide, "42", 2), Hit.of(narrow, "42"));
    assertThat(both.each()).extracting(Decision::remaining).containsExactly(8L, 0L);

    KeyedDecision denied = ask(new Hit(wide, "42", 2), Hit.of(narrow, "42"));
    assertThat(denied.each()).extracting(Decision::allowed).containsExactly(true, false);
    assertThat(denied.each().get(0).remaining()).isEqualTo(6);
  }

  @Test
  void shadowCountsAndLetsPass() {
    NamedLimit shadow = NamedLimit.of("shadow", new FixedWindow(1, MINUTE)).inShadow();

    assertThat(ask(shadow, "42", 1).shadowDenied()).isFalse();
    KeyedDecision second = ask(shadow, "42", 1);

    assertThat(second.allowed()).isTrue();
    assertThat(second.shadowDenied()).isTrue();
    assertThat(second.decision().allowed()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"PROPORTIONAL, 4", "AS_IS, 2", "ADDITIVE, 7", "RESET, 10"})
  void aRaisedLimitReachesALiveKey(Inheritance inheritance, long left) {
    raise(new FixedWindow(5, MINUTE), new FixedWindow(10, MINUTE), inheritance, left);
    raise(new SlidingLog(5, MINUTE), new SlidingLog(10, MINUTE), inheritance, left);
    raise(new SlidingCounter(5, MINUTE), new SlidingCounter(10, MINUTE), inheritance, left);
    raise(TokenBucket.of(5, 5, MINUTE), TokenBucket.of(10, 10, MINUTE), inheritance, left);
  }

  private void raise(Limit five, Limit ten, Inheritance inheritance, long left) {
    String key = five.getClass().getSimpleName();
    NamedLimit before = NamedLimit.of("raised", five);
    NamedLimit after = NamedLimit.of("raised", ten).inheriting(inheritance);
    ask(before, key, 3);
    assertThat(ask(after, key, 0).decision().remaining()).isEqualTo(left);
  }

  /** For backends where it does: what a key has left outlasts a change to any other algorithm. */
  protected final void changesEveryAlgorithmOnALiveKey() {
    for (Algorithm before : Algorithm.values()) {
      for (Algorithm after : Algorithm.values()) {
        String key = before + " to " + after;
        ask(before.limit, key, 7);
        KeyedDecision changed = ask(after.limit, key, 0);
        assertThat(changed.decision().remaining()).as(key).isEqualTo(3);
        assertThat(ask(after.limit, key, 4).allowed()).as(key).isFalse();
        assertThat(ask(after.limit, key, 3).allowed()).as(key).isTrue();
      }
    }
  }

  @Test
  void aLoweredLimitReachesALiveKey() {
    ask(NamedLimit.of("lowered", new SlidingLog(10, MINUTE)), "42", 1);
    NamedLimit two = NamedLimit.of("lowered", new SlidingLog(2, MINUTE));

    assertThat(ask(two, "42", 0).decision().remaining()).isEqualTo(2);
    assertThat(ask(two, "42", 2).allowed()).isTrue();
    assertThat(ask(two, "42", 1).allowed()).isFalse();
  }

  @Test
  void aLongerPeriodDoesNotSetAnEmptyKeyFree() {
    ask(NamedLimit.of("unit", TokenBucket.of(100, 100, SECOND)), "42", 100);
    NamedLimit day = NamedLimit.of("unit", TokenBucket.of(100, 100, Duration.ofDays(1)));
    for (int minute = 0; minute < 10; minute++) {
      assertThat(allows(day, "42")).isFalse();
      advance(MINUTE);
    }
    assertThat(allows(day, "42")).isFalse();
  }

  @Test
  void anIdleKeyIsNotRefilled() {
    NamedLimit hourly = NamedLimit.of("hourly", new SlidingLog(10, Duration.ofHours(1)));
    int admitted = 0;
    for (int request = 0; request < 180; request++) {
      admitted += allows(hourly, "42") ? 1 : 0;
      advance(Duration.ofSeconds(20));
    }
    assertThat(admitted).isEqualTo(10);
  }

  @Test
  void aLogNeverHoldsMoreThanItsLimitInAnyWindow() {
    NamedLimit log = NamedLimit.of("log", new SlidingLog(2, Duration.ofSeconds(4)));
    StringBuilder granted = new StringBuilder();
    for (int second = 0; second < 12; second++) {
      if (allows(log, "42")) {
        granted.append(second).append(' ');
      }
      advance(SECOND);
    }
    assertThat(granted).hasToString("0 1 4 5 8 9 ");
  }

  @Test
  void noHitsIsAMistake() {
    assertThatThrownBy(() -> limiter().check(List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("hits: none (expected: one at least)");
  }
}
