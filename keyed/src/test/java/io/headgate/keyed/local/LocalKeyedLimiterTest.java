package io.headgate.keyed.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.core.limit.FixedWindow;
import io.headgate.core.limit.SlidingLog;
import io.headgate.core.limit.TokenBucket;
import io.headgate.keyed.Hit;
import io.headgate.keyed.KeyedDecision;
import io.headgate.keyed.KeyedLimiter;
import io.headgate.keyed.KeyedLimiterContract;
import io.headgate.keyed.NamedLimit;
import io.headgate.keyed.PartitionedLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

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
  void aKeyGoesWhenAllItsPermitsAreBack() {
    NamedLimit limit = NamedLimit.of("idle", TokenBucket.of(10, 1, SECOND));
    ask(limit, "42", 1);
    advance(Duration.ofSeconds(9));
    assertThat(limiter.keys("idle")).isEqualTo(1);
    advance(Duration.ofSeconds(3)); // the map's wheel turns about once a second
    assertThat(limiter.keys("idle")).isZero();
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
