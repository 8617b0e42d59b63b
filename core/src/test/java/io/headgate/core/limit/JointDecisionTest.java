package io.headgate.core.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.core.limit.JointDecision.Wish;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class JointDecisionTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final int ROUNDS = 20_000;

  static Limit[] limits() {
    return new Limit[] {
      TokenBucket.of(10, 10, MINUTE),
      TokenBucket.of(10, 17, MINUTE),
      TokenBucket.interval(10, 10, MINUTE),
      new FixedWindow(10, MINUTE),
      new SlidingLog(10, MINUTE),
      new SlidingCounter(10, MINUTE),
      SegmentedWindow.of(10, MINUTE, 6),
      SegmentedWindow.strict(10, MINUTE, 6)
    };
  }

  private static Limiter one() {
    return new FixedWindow(1, Duration.ofSeconds(1)).newLimiter(0);
  }

  private static boolean allowed(List<Wish> wishes) {
    return JointDecision.acquire(wishes, 0).stream().allMatch(Decision::allowed);
  }

  @ParameterizedTest
  @MethodSource("limits")
  void aRefusedRequestIsChargedNowhere(Limit limit) {
    Limiter ten = limit.newLimiter(0);
    List<Wish> both = List.of(new Wish(ten, 1, true), new Wish(one(), 1, true));
    assertThat(allowed(both)).isTrue();
    assertThat(allowed(both)).isFalse();
    assertThat(ten.available(0)).isEqualTo(9);
    assertThat(ten.take(9, 0)).isZero(); // it is free for others again
  }

  @ParameterizedTest
  @MethodSource("limits")
  void aLimitInShadowIsChargedIfItCanBeAndRefusesNothing(Limit limit) {
    Limiter ten = limit.newLimiter(0);
    Limiter shadow = one();
    List<Wish> both = List.of(new Wish(ten, 2, true), new Wish(shadow, 1, false));
    JointDecision.acquire(both, 0);
    List<Decision> second = JointDecision.acquire(both, 0);
    assertThat(second).extracting(Decision::allowed).containsExactly(true, false);
    assertThat(ten.available(0)).isEqualTo(6);
  }

  @Test
  void aRequestAboveOneOfTheLimitsIsHopeless() {
    Limiter ten = new SlidingLog(10, MINUTE).newLimiter(0);
    List<Decision> decisions =
        JointDecision.acquire(List.of(new Wish(ten, 1, true), new Wish(one(), 2, true)), 0);
    assertThat(decisions.get(1).isHopeless()).isTrue();
    assertThat(ten.available(0)).isEqualTo(10);
  }

  @Test
  void nothingIsTakenIfOneOfTheLimitersIsRetired() {
    Limiter ten = TokenBucket.of(10, 10, MINUTE).newLimiter(0);
    Limiter gone = one();
    gone.discard(0);
    assertThat(JointDecision.acquire(List.of(new Wish(ten, 1, true), new Wish(gone, 1, true)), 0))
        .isNull();
    assertThat(ten.take(10, 0)).isZero();
  }

  /** What a request that is refused asks the first limit for is never seen to be gone. */
  @ParameterizedTest
  @MethodSource("limits")
  void nobodySeesALimitChargedByARefusedRequest(Limit limit) throws Exception {
    Limiter ten = limit.newLimiter(0);
    Limiter empty = one();
    empty.take(1, 0);
    List<Wish> refused = List.of(new Wish(ten, 10, true), new Wish(empty, 1, true));
    AtomicBoolean done = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      Future<Integer> asking =
          threads.submit(
              () -> {
                int granted = 0;
                for (int round = 0; round < ROUNDS; round++) {
                  granted += allowed(refused) ? 1 : 0;
                }
                done.set(true);
                return granted;
              });
      long least = 10;
      while (!done.get()) {
        least = Math.min(least, ten.available(0));
        least = Math.min(least, ten.take(0, 0));
      }
      assertThat(asking.get()).isZero();
      assertThat(least).isEqualTo(10);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void threadsThatShareSomeOfTheirLimitsGrantEachPermitOnce() throws Exception {
    Limiter a = TokenBucket.of(1000, 1000, MINUTE).newLimiter(0);
    Limiter b = new SlidingLog(1000, MINUTE).newLimiter(0);
    Limiter c = new FixedWindow(1500, MINUTE).newLimiter(0);
    List<List<Wish>> requests =
        List.of(
            List.of(new Wish(a, 1, true), new Wish(b, 1, true)),
            List.of(new Wish(b, 1, true), new Wish(c, 1, true)),
            List.of(new Wish(a, 1, true), new Wish(b, 1, true), new Wish(c, 1, true)));
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      List<Future<Integer>> granted = new ArrayList<>();
      for (List<Wish> request : requests) {
        granted.add(
            threads.submit(
                () -> {
                  int count = 0;
                  for (int round = 0; round < ROUNDS; round++) {
                    count += allowed(request) ? 1 : 0;
                  }
                  return count;
                }));
      }
      int ab = granted.get(0).get();
      int bc = granted.get(1).get();
      int abc = granted.get(2).get();
      assertThat(ab + bc + abc).isEqualTo(1000); // b is what all of them want
      assertThat(a.available(0)).isEqualTo(1000 - ab - abc);
      assertThat(c.available(0)).isEqualTo(1500 - bc - abc);
    } finally {
      threads.shutdownNow();
    }
  }
}
