package io.headgate.keyed.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.core.limit.FixedWindow;
import io.headgate.keyed.Hit;
import io.headgate.keyed.KeyedDecision;
import io.headgate.keyed.NamedLimit;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What happens while the store does not answer, in virtual time. */
class OutageTest {

  private static final long MS = 1_000_000;
  private static final NamedLimit NINE =
      NamedLimit.of("nine", new FixedWindow(9, Duration.ofMinutes(1)));

  /** Stands in for Redis: it grants everything, unless it is down. */
  private final class Standin implements Store {

    private boolean down;
    private int asked;

    @Override
    public CompletionStage<List<Long>> run(Script script, List<String> keys, String[] arguments) {
      asked++;
      return down
          ? CompletableFuture.failedFuture(new IllegalStateException("down"))
          : CompletableFuture.completedFuture(List.of(1L, 8L, 0L, 1000L, 7L, 1L));
    }

    @Override
    public boolean isOnePlace(List<String> keys) {
      return false;
    }

    @Override
    public void close() {}
  }

  private final Standin store = new Standin();
  private long now = 3_600_000 * MS;

  private RedisKeyedLimiter limiter(OutagePolicy policy) {
    return new RedisKeyedLimiter(
        RedisKeyedLimiter.builder().outagePolicy(policy).knownReplicas(3).nanoClock(() -> now),
        store,
        Scripts.withClock(Script.serverClock()));
  }

  private KeyedDecision ask(RedisKeyedLimiter limiter) {
    return limiter.check(NINE, "42", 1).toCompletableFuture().join();
  }

  private int allowedOf(RedisKeyedLimiter limiter, int requests) {
    int allowed = 0;
    for (int request = 0; request < requests; request++) {
      allowed += ask(limiter).allowed() ? 1 : 0;
    }
    return allowed;
  }

  @Test
  void openLetsPassAndSaysSo() {
    RedisKeyedLimiter limiter = limiter(OutagePolicy.OPEN);
    store.down = true;
    KeyedDecision decision = ask(limiter);
    assertThat(decision.allowed()).isTrue();
    assertThat(decision.degraded()).isTrue();
  }

  @Test
  void closedDeniesAndSaysWhenToTryAgain() {
    RedisKeyedLimiter limiter = limiter(OutagePolicy.CLOSED);
    store.down = true;
    KeyedDecision decision = ask(limiter);
    assertThat(decision.allowed()).isFalse();
    assertThat(decision.degraded()).isTrue();
    assertThat(decision.decision().retryAfterNanos()).isEqualTo(100 * MS);
  }

  @Test
  void localAdmitsTheShareOfThisReplica() {
    RedisKeyedLimiter limiter = limiter(OutagePolicy.LOCAL);
    store.down = true;
    assertThat(allowedOf(limiter, 20)).isEqualTo(3);
    assertThat(ask(limiter).decision().limit()).isEqualTo(3);
  }

  @Test
  void aDeadStoreIsAskedOnceAPause() {
    RedisKeyedLimiter limiter = limiter(OutagePolicy.OPEN);
    store.down = true;
    allowedOf(limiter, 1000);
    assertThat(store.asked).isEqualTo(3);
    assertThat(limiter.isDegraded()).isTrue();
    for (int tries = 4; tries < 10; tries++) {
      now += 100 * MS;
      allowedOf(limiter, 1000);
      assertThat(store.asked).isEqualTo(tries);
    }
  }

  @Test
  void theFirstAnswerEndsTheOutage() {
    RedisKeyedLimiter limiter = limiter(OutagePolicy.CLOSED);
    store.down = true;
    allowedOf(limiter, 10);
    store.down = false;
    assertThat(ask(limiter).degraded()).isTrue();
    now += 100 * MS;
    assertThat(ask(limiter).degraded()).isFalse();
    assertThat(limiter.isDegraded()).isFalse();
  }

  @Test
  void aStoreThatComesBackEmptyGivesNoSecondLimit() {
    RedisKeyedLimiter limiter = limiter(OutagePolicy.LOCAL);
    store.down = true;
    assertThat(allowedOf(limiter, 20)).isEqualTo(3);
    store.down = false;
    now += 100 * MS;
    KeyedDecision decision = ask(limiter);
    assertThat(decision.allowed()).isFalse();
    assertThat(decision.degraded()).isTrue();

    now += Duration.ofMinutes(4).toNanos();
    assertThat(allowedOf(limiter, 20)).isEqualTo(20);
  }

  @Test
  void aKeyThatIsOverItsShareFindsOutThatTheStoreIsBack() {
    RedisKeyedLimiter limiter = limiter(OutagePolicy.LOCAL);
    store.down = true;
    allowedOf(limiter, 20);
    store.down = false;
    now += 100 * MS;
    allowedOf(limiter, 1);
    assertThat(limiter.isDegraded()).isFalse();
  }

  @Test
  void aKeyThatWasNotCountedHereIsNotHeldUpAfterwards() {
    RedisKeyedLimiter limiter = limiter(OutagePolicy.LOCAL);
    store.down = true;
    allowedOf(limiter, 20);
    store.down = false;
    now += 100 * MS;
    KeyedDecision other = limiter.check(NINE, "43", 1).toCompletableFuture().join();
    assertThat(other.allowed()).isTrue();
    assertThat(other.degraded()).isFalse();
  }

  @Test
  void whatADeniedRequestTookOfTheShareIsGivenBack() {
    RedisKeyedLimiter limiter = limiter(OutagePolicy.LOCAL);
    NamedLimit narrow = NamedLimit.of("narrow", new FixedWindow(3, Duration.ofMinutes(1)));
    store.down = true;
    for (int request = 0; request < 5; request++) {
      limiter.check(List.of(Hit.of(NINE, "42"), Hit.of(narrow, "42"))).toCompletableFuture().join();
    }
    assertThat(allowedOf(limiter, 20)).isEqualTo(2);
  }
}
