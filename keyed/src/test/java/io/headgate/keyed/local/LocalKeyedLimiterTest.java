package io.headgate.keyed.local;

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
import io.headgate.keyed.PartitionedLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LocalKeyedLimiterTest extends KeyedLimiterContract {

  private static final long HOUR = 3_600_000_000_000L;

  private final AtomicLong now = new AtomicLong(10 * HOUR);
  private final List<KeyedDecision> heard = new ArrayList<>();
  private final LocalKeyedLimiter limiter =
      LocalKeyedLimiter.builder()
          .nanoClock(now::get)
          .maxKeys(100)
          .listener(
              (hits, decision) -> {
                synchronized (heard) {
                  heard.add(decision);
                }
              })
          .build();

  @Override
  protected KeyedLimiter limiter() {
    return limiter;
  }

  @Override
  protected void advance(Duration time) {
    now.addAndGet(time.toNanos());
  }

  @Test
  void theShortWayCountsToo() {
    NamedLimit limit = NamedLimit.of("short", new SlidingLog(2, MINUTE));
    assertThat(limiter.tryAcquire(limit, "42", 1)).isTrue();
    assertThat(limiter.tryAcquire(limit, "42", 1)).isTrue();
    assertThat(limiter.tryAcquire(limit, "42", 1)).isFalse();
    assertThat(heard).isEmpty();
  }

  @Test
  void aLimitedKeyStaysWhileThereIsRoom() {
    NamedLimit limit = NamedLimit.of("room", new FixedWindow(1, Duration.ofHours(1)));
    for (int key = 0; key < 100; key++) {
      assertThat(allows(limit, "key" + key)).isTrue();
    }
    advance(Duration.ofMinutes(59));
    for (int key = 0; key < 100; key++) {
      assertThat(allows(limit, "key" + key)).isFalse();
    }
    assertThat(limiter.evicted("room")).isZero();
  }

  @Test
  void keysAreBounded() {
    NamedLimit limit = NamedLimit.of("many", new FixedWindow(1, Duration.ofHours(1)));
    for (int key = 0; key < 1000; key++) {
      allows(limit, "key" + key);
    }
    assertThat(limiter.keys("many")).isLessThanOrEqualTo(100);
    assertThat(limiter.evicted("many")).isEqualTo(1000 - limiter.keys("many"));
  }

  @Test
  void aKeyGoesAsSoonAsAllItsPermitsAreBack() {
    NamedLimit limit = NamedLimit.of("idle", TokenBucket.of(10, 1, SECOND));
    ask(limit, "42", 3);
    advance(Duration.ofNanos(2_999_999_999L));
    assertThat(limiter.keys("idle")).isEqualTo(1);
    advance(Duration.ofNanos(1));
    assertThat(limiter.keys("idle")).isZero();
  }

  @ParameterizedTest
  @MethodSource("everyLimit")
  void aKeyThatLacksAPermitStaysThroughAnyNumberOfSweeps(Limit ten) {
    NamedLimit limit = NamedLimit.of("swept", ten);
    ask(limit, "42", 10);
    long wait = ask(limit, "42", 10).decision().retryAfterNanos();
    for (int step = 1; step < 100; step++) {
      now.addAndGet(wait / 100);
      ask(limit, "other", 0); // moves the hand, and is as good as new itself
      assertThat(limiter.keys("swept")).isEqualTo(1);
    }
    assertThat(ask(limit, "42", 10).allowed()).isFalse();
  }

  static List<Limit> everyLimit() {
    return List.of(
        TokenBucket.of(10, 10, MINUTE),
        TokenBucket.of(10, 17, MINUTE),
        TokenBucket.interval(10, 10, MINUTE),
        new FixedWindow(10, MINUTE),
        new SlidingLog(10, MINUTE),
        new SlidingCounter(10, MINUTE),
        SegmentedWindow.of(10, MINUTE, 6),
        SegmentedWindow.strict(10, MINUTE, 6));
  }

  @Test
  void keysAreForgottenWhileOthersAsk() {
    NamedLimit limit = NamedLimit.of("crowd", TokenBucket.of(1, 1, SECOND));
    LocalKeyedLimiter roomy = LocalKeyedLimiter.builder().nanoClock(now::get).build();
    for (int key = 0; key < 10_000; key++) {
      roomy.tryAcquire(limit, "key" + key, 1);
    }
    for (int step = 0; step < 1100; step++) {
      roomy.tryAcquire(limit, "one", 1);
      advance(Duration.ofMillis(10));
    }
    assertThat(roomy.isKept("crowd", "key0")).isTrue(); // full for not quite ten seconds
    for (int step = 0; step < 100; step++) {
      roomy.tryAcquire(limit, "one", 1);
      advance(Duration.ofMillis(10));
    }
    assertThat(roomy.isKept("crowd", "key0")).isFalse();
    assertThat(roomy.isKept("crowd", "key9999")).isFalse();
    assertThat(roomy.isKept("crowd", "one")).isTrue();
  }

  @Test
  void anExecutorThatTakesNothingFailsNoRequest() {
    NamedLimit limit = NamedLimit.of("closed", TokenBucket.of(1, 1, SECOND));
    LocalKeyedLimiter closed =
        LocalKeyedLimiter.builder()
            .nanoClock(now::get)
            .executor(
                task -> {
                  throw new RejectedExecutionException("on purpose");
                })
            .build();
    closed.tryAcquire(limit, "42", 1);
    advance(MINUTE);
    assertThat(closed.tryAcquire(limit, "43", 1)).isTrue();
    assertThat(closed.isKept("closed", "42")).isFalse();
  }

  @Test
  void aBucketThatBeginsEmptyIsKeptEvenWhenItIsFull() {
    NamedLimit limit = NamedLimit.of("empty", TokenBucket.of(10, 10, SECOND).withInitialTokens(0));
    ask(limit, "42", 0);
    advance(MINUTE);
    assertThat(limiter.keys("empty")).isEqualTo(1);
    assertThat(ask(limit, "42", 10).allowed()).isTrue();
  }

  @Test
  void aKeyThatIsAsGoodAsNewGoesBeforeOneThatIsLimited() {
    NamedLimit limit = NamedLimit.of("prefer", TokenBucket.of(10, 1, MINUTE));
    LocalKeyedLimiter sixty = LocalKeyedLimiter.builder().nanoClock(now::get).maxKeys(60).build();
    for (int key = 0; key < 60; key++) {
      sixty.tryAcquire(limit, "key" + key, key == 17 ? 0 : 10);
    }
    sixty.tryAcquire(limit, "one more", 10);
    assertThat(sixty.evicted("prefer")).isZero();
    assertThat(sixty.isKept("prefer", "key17")).isFalse();
  }

  @Test
  void aFloodOfNewKeysDoesNotSetTheLimitedFree() {
    NamedLimit limit = NamedLimit.of("flood", TokenBucket.of(10, 1, MINUTE));
    for (int key = 0; key < 30; key++) {
      ask(limit, "limited" + key, 10);
    }
    for (int key = 0; key < 10_000; key++) {
      ask(limit, "flood" + key, 1);
    }
    for (int key = 0; key < 30; key++) {
      assertThat(allows(limit, "limited" + key)).isFalse();
    }
    assertThat(limiter.keys("flood")).isLessThanOrEqualTo(100);
  }

  /** Whoever holds a state that is dropped asks the one that follows it. */
  @Test
  void droppingAKeyUnderLoadGrantsNothingTwice() throws Exception {
    LocalKeyedLimiter tiny = LocalKeyedLimiter.builder().nanoClock(now::get).maxKeys(10).build();
    NamedLimit limit = NamedLimit.of("tiny", new FixedWindow(1000, Duration.ofHours(1)));
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      List<Future<Integer>> granted = new ArrayList<>();
      for (int thread = 0; thread < 3; thread++) {
        String mine = "other" + thread;
        granted.add(
            threads.submit(
                () -> {
                  int count = 0;
                  for (int request = 0; request < 20_000; request++) {
                    count += tiny.tryAcquire(limit, "42", 1) ? 1 : 0;
                    tiny.tryAcquire(limit, mine + request, 0); // as good as new: to be dropped
                    tiny.keys("tiny");
                  }
                  return count;
                }));
      }
      int all = 0;
      for (Future<Integer> count : granted) {
        all += count.get();
      }
      assertThat(all).isEqualTo(1000);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void whatARequestTookOfSeveralLimitsIsGivenBackOnDemand() {
    NamedLimit wide = NamedLimit.of("wide", new SlidingLog(10, MINUTE));
    NamedLimit shadow = NamedLimit.of("narrow", new SlidingLog(1, MINUTE)).inShadow();
    List<Hit> hits = List.of(new Hit(wide, "42", 4), Hit.of(shadow, "42"));
    limiter.check(hits);
    Charge charge = limiter.charge(hits).toCompletableFuture().join();
    assertThat(charge.decision().shadowDenied()).isTrue();
    charge.giveBack().run();
    assertThat(ask(wide, "42", 0).decision().remaining()).isEqualTo(6);
    assertThat(ask(shadow, "42", 0).decision().remaining()).isZero();
  }

  @Test
  void nobodySeesALimitChargedByARefusedRequest() throws Exception {
    NamedLimit a = NamedLimit.of("a", new FixedWindow(10, MINUTE));
    NamedLimit b = NamedLimit.of("b", new FixedWindow(1, SECOND));
    List<Hit> both = List.of(new Hit(a, "42", 10), Hit.of(b, "42"));
    ask(b, "42", 1);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      Future<Long> refused =
          threads.submit(
              () ->
                  IntStream.range(0, 20_000)
                      .filter(request -> limiter.decide(both).allowed())
                      .count());
      long least = 10;
      while (!refused.isDone()) {
        least = Math.min(least, ask(a, "42", 0).decision().remaining());
      }
      assertThat(refused.get()).isZero();
      assertThat(least).isEqualTo(10);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void anotherAlgorithmTakesOverALiveKey() {
    changesEveryAlgorithmOnALiveKey();
  }

  @Test
  void twoHitsOfOneKeyAreAMistake() {
    NamedLimit limit = NamedLimit.of("twice", new FixedWindow(10, MINUTE));
    assertThatThrownBy(() -> ask(Hit.of(limit, "42"), Hit.of(limit, "42")))
        .hasMessage(
            "hits: two of twice with the key '42' (expected: one, with the sum of their costs)");
  }

  @Test
  void eachDecisionIsHeardOnce() {
    NamedLimit limit = NamedLimit.of("heard", new FixedWindow(2, MINUTE));
    int denied = 0;
    for (int request = 0; request < 5; request++) {
      denied += allows(limit, "42") ? 0 : 1;
    }
    assertThat(denied).isEqualTo(3);
    assertThat(heard).hasSize(5);
    assertThat(heard.stream().filter(KeyedDecision::allowed)).hasSize(2);
  }

  @Test
  void whatAListenerThrowsChangesNoDecision() {
    AtomicInteger later = new AtomicInteger();
    LocalKeyedLimiter throwing =
        LocalKeyedLimiter.builder()
            .listener(
                ((io.headgate.keyed.KeyedListener)
                        (hits, decision) -> {
                          throw new IllegalStateException("on purpose");
                        })
                    .and((hits, decision) -> later.incrementAndGet()))
            .build();
    Thread.UncaughtExceptionHandler before = Thread.currentThread().getUncaughtExceptionHandler();
    AtomicInteger caught = new AtomicInteger();
    Thread.currentThread().setUncaughtExceptionHandler((t, e) -> caught.incrementAndGet());
    try {
      KeyedDecision decision =
          throwing.decide(List.of(Hit.of(NamedLimit.of("x", new FixedWindow(1, MINUTE)), "42")));
      assertThat(decision.allowed()).isTrue();
    } finally {
      Thread.currentThread().setUncaughtExceptionHandler(before);
    }
    assertThat(caught).hasValue(1);
    assertThat(later).hasValue(1);
  }

  record Transfer(String customer, String country, long amount) {}

  @Test
  void requestsArePartitionedByWhatIsInThem() {
    PartitionedLimiter<Transfer> transfers =
        PartitionedLimiter.<Transfer>over(limiter)
            .with(NamedLimit.of("customer", new SlidingLog(2, MINUTE)), Transfer::customer)
            .with(
                NamedLimit.of("country", new SlidingLog(1000, MINUTE)),
                Transfer::country,
                Transfer::amount);

    assertThat(allowed(transfers, new Transfer("42", "de", 600))).isTrue();
    assertThat(allowed(transfers, new Transfer("43", "de", 600))).isFalse();
    assertThat(allowed(transfers, new Transfer("42", "fr", 600))).isTrue();
    assertThat(allowed(transfers, new Transfer("42", "es", 600))).isFalse();
    assertThat(allowed(transfers, new Transfer("43", "de", 400))).isTrue();
  }

  private static boolean allowed(PartitionedLimiter<Transfer> limiter, Transfer transfer) {
    return limiter.check(transfer).toCompletableFuture().join().allowed();
  }

  @Test
  void mistakesAreNamed() {
    assertThatThrownBy(() -> LocalKeyedLimiter.builder().maxKeys(0))
        .hasMessage("maxKeys: 0 (expected: 1 or more)");
    assertThatThrownBy(() -> NamedLimit.of("a b", new FixedWindow(1, MINUTE)))
        .hasMessage("name: 'a b' (expected: 1 to 100 letters, digits, '.', '_' and '-')");
  }
}
