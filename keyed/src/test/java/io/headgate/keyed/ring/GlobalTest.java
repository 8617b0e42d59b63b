package io.headgate.keyed.ring;

import static io.headgate.keyed.ring.TestCluster.brief;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.core.hits.Behavior;
import io.headgate.fixtures.SteadyMachine;
import io.headgate.keyed.ring.global.SyncSettings;
import io.headgate.protocol.gubernator.Algorithm;
import io.headgate.protocol.gubernator.RateLimitReq;
import io.headgate.protocol.gubernator.RateLimitResp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keys that every node answers for. */
class GlobalTest {

  /** A fifth of the time between two exchanges. */
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(10);

  private static TestCluster cluster;

  @BeforeAll
  static void start() {
    cluster =
        TestCluster.of(
            6,
            RingSettings.DEFAULT.with(
                new SyncSettings(Duration.ofMillis(50), Duration.ofMillis(500), 1_000)));
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static RateLimitReq.Builder request(String name, long limit, long duration) {
    return RateLimitReq.newBuilder()
        .setName(name)
        .setUniqueKey("account:1")
        .setLimit(limit)
        .setDuration(duration)
        .setBehaviorValue(Behavior.GLOBAL);
  }

  private static String ask(int node, RateLimitReq.Builder request, long hits) {
    return brief(cluster.ask(node, request.setHits(hits).build()));
  }

  /** The n-th node that does not own the key of a request. */
  private static int other(RateLimitReq.Builder request, int n) {
    List<Integer> others = new ArrayList<>();
    int owner = owner(request);
    for (int i = 0; i < cluster.size(); i++) {
      if (i != owner) {
        others.add(i);
      }
    }
    return others.get(n);
  }

  private static int owner(RateLimitReq.Builder request) {
    return cluster.ownerOf(request.getName(), request.getUniqueKey());
  }

  /** Waits until everything is exchanged, so that all nodes say the same. */
  private static void settle(RateLimitReq.Builder request, String expected) {
    await()
        .atMost(5, TimeUnit.SECONDS)
        .pollInterval(Duration.ofMillis(10))
        .untilAsserted(
            () -> {
              for (int i = 0; i < cluster.size(); i++) {
                assertThat(ask(i, request, 0)).isEqualTo(expected);
              }
            });
  }

  @Test
  void allNodesHearWhatOneHasAdmitted() {
    RateLimitReq.Builder limit = request("hear", 5, 180_000);
    assertThat(ask(other(limit, 0), limit, 1)).isEqualTo("U4");
    assertThat(ask(other(limit, 0), limit, 2)).isEqualTo("U2");
    settle(limit, "U2");
    assertThat(ask(other(limit, 3), limit, 2)).isEqualTo("U0");
    settle(limit, "U0");
    assertThat(ask(other(limit, 4), limit, 1)).isEqualTo("O0");

    List<RateLimitResp> answers = new ArrayList<>();
    for (int i = 0; i < cluster.size(); i++) {
      answers.add(cluster.ask(i, limit.setHits(0).build()));
    }
    assertThat(answers)
        .extracting(RateLimitResp::getResetTime)
        .containsOnly(answers.get(0).getResetTime());
    assertThat(answers.get(other(limit, 0)).getMetadataMap())
        .containsEntry("owner", cluster.address(owner(limit)));
  }

  @Test
  void theOwnerAndAnotherShareALimit() {
    RateLimitReq.Builder limit = request("shared", 2, 180_000);
    int owner = owner(limit);
    int other = other(limit, 2);
    assertThat(ask(owner, limit, 1)).isEqualTo("U1");
    assertThat(ask(other, limit, 1)).startsWith("U");
    settle(limit, "U0");
    for (int i = 0; i < 9; i++) {
      assertThat(ask(i % 2 == 0 ? owner : other, limit, 1)).isEqualTo("O0");
    }
  }

  @Test
  void fiveAtOnceMayEachTakeWhatTheyKnowOfAndAreOverAfterwards() {
    RateLimitReq.Builder limit =
        request("at_once", 100, 60_000_000).setAlgorithm(Algorithm.LEAKY_BUCKET);
    for (int i = 0; i < 5; i++) {
      assertThat(ask(other(limit, i), limit, 50)).isEqualTo("U50");
    }
    await().untilAsserted(() -> assertThat(ask(owner(limit), limit, 0)).isEqualTo("U0"));
    settle(limit, "U0");
    for (int i = 0; i < cluster.size(); i++) {
      assertThat(ask(i, limit, 1)).isEqualTo("O0");
    }
  }

  @Test
  void hitsThatAreGivenBackReachEverybody() {
    RateLimitReq.Builder limit = request("back", 2, 180_000);
    assertThat(ask(other(limit, 0), limit, -1)).isEqualTo("U3");
    settle(limit, "U3");
    assertThat(ask(other(limit, 1), limit, -1)).isEqualTo("U4");
    settle(limit, "U4");
    assertThat(ask(other(limit, 2), limit, 4)).isEqualTo("U0");
    settle(limit, "U0");
  }

  @Test
  void tenHitsAtTheOwnerAreOneMessageToEachOther() throws Exception {
    SteadyMachine.check(
        LONGEST_PAUSE,
        attempt -> {
          RateLimitReq.Builder limit = request("ten_owner" + attempt, 1_000, 180_000);
          int owner = owner(limit);
          KeyedRing node = cluster.node(owner);
          long[] before = updates();
          long broadcasts = node.gauges().broadcasts();
          for (int i = 0; i < 10; i++) {
            ask(owner, limit, 1);
          }
          settle(limit, "U990");
          assertThat(node.gauges().broadcasts() - broadcasts).isEqualTo(1);
          long[] after = updates();
          for (int i = 0; i < cluster.size(); i++) {
            assertThat(after[i] - before[i]).isEqualTo(i == owner ? 0 : 1);
          }
        });
  }

  private static long[] updates() {
    long[] counts = new long[cluster.size()];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = cluster.node(i).stats().count(RingStats.Event.UPDATED);
    }
    return counts;
  }

  @Test
  void aResetWithoutHitsReachesEverybody() {
    RateLimitReq.Builder limit = request("reset", 10, 180_000);
    assertThat(ask(other(limit, 0), limit, 10)).isEqualTo("U0");
    settle(limit, "U0");
    RateLimitReq.Builder reset =
        limit.clone().setBehaviorValue(Behavior.GLOBAL | Behavior.RESET_REMAINING);
    assertThat(ask(other(limit, 1), reset, 0)).isEqualTo("U10");
    settle(limit, "U10");
  }

  @Test
  void whatIsRefusedIsNotCharged() {
    RateLimitReq.Builder limit = request("seven", 100, 60_000);
    int other = other(limit, 0);
    long admitted = 0;
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
    while (System.nanoTime() < end) {
      admitted += ask(other, limit, 7).startsWith("U") ? 7 : 0;
      LockSupport.parkNanos(500_000);
    }
    assertThat(admitted).isEqualTo(98);
    settle(limit, "U2");
  }

  @Test
  void aLeakyBucketFasterThanItsClockIsNotBornAnew() throws Exception {
    SteadyMachine.check(
        LONGEST_PAUSE,
        attempt -> {
          // Ten hits a millisecond against two: what leaks, and the two thousand that fit in at
          // first.
          RateLimitReq.Builder limit =
              request("fast" + attempt, 2_000, 1_000).setAlgorithm(Algorithm.LEAKY_BUCKET);
          int other = other(limit, 0);
          long admitted = 0;
          long asked = 0;
          long start = System.nanoTime();
          while (System.nanoTime() < start + TimeUnit.SECONDS.toNanos(2)) {
            asked += 50;
            admitted += ask(other, limit, 50).startsWith("U") ? 50 : 0;
            LockSupport.parkNanos(1_000_000);
          }
          double seconds = (System.nanoTime() - start) / 1e9;
          assertThat(asked).isGreaterThan(10_000);
          assertThat(admitted).isLessThanOrEqualTo((long) (2_000 + 2_000 * (seconds + 0.05)));
          assertThat(admitted).isGreaterThan((long) (2_000 + 2_000 * seconds * 0.8));
        });
  }

  @Test
  void aBurstAboveTheLimitIsNotBornAnew() throws Exception {
    SteadyMachine.check(
        LONGEST_PAUSE,
        attempt -> {
          RateLimitReq.Builder limit =
              request("burst" + attempt, 100, 10_000)
                  .setBurst(200)
                  .setAlgorithm(Algorithm.LEAKY_BUCKET);
          int other = other(limit, 0);
          long admitted = 0;
          long start = System.nanoTime();
          while (System.nanoTime() < start + TimeUnit.SECONDS.toNanos(2)) {
            admitted += ask(other, limit, 1).startsWith("U") ? 1 : 0;
            LockSupport.parkNanos(500_000);
          }
          double seconds = (System.nanoTime() - start) / 1e9;
          assertThat(admitted).isBetween(200L, (long) (200 + 10 * (seconds + 0.05)) + 1);
        });
  }

  @ParameterizedTest(name = "{0}, {1} in {2} ms, {3} hits a call")
  @CsvSource({
    "TOKEN_BUCKET, 300, 600000, 1",
    "TOKEN_BUCKET, 90000, 60000, 200", // more hits than milliseconds
    "LEAKY_BUCKET, 300, 600000, 1",
    "LEAKY_BUCKET, 1000, 10000, 3",
    "LEAKY_BUCKET, 4000, 2000, 40", // more hits than milliseconds
  })
  void busyNodesAdmitTogetherTheLimitAndWhatTheyTakeInOneExchange(
      Algorithm algorithm, long limit, long duration, int hits) throws Exception {
    SteadyMachine.check(
        LONGEST_PAUSE,
        attempt -> {
          RateLimitReq.Builder request =
              request("busy_" + algorithm + limit + "_" + attempt, limit, duration)
                  .setAlgorithm(algorithm);
          long admitted = 0;
          long firstRound = 0;
          long asked = 0;
          long start = System.nanoTime();
          // A slow machine takes longer to ask twice what the limit is.
          while (asked < 2 * limit || System.nanoTime() < start + TimeUnit.SECONDS.toNanos(1)) {
            for (int i = 0; i < 5; i++) {
              asked += hits;
              admitted += ask(other(request, i), request, hits).startsWith("U") ? hits : 0;
            }
            if (System.nanoTime() < start + TimeUnit.MILLISECONDS.toNanos(200)) {
              firstRound = admitted;
            }
            LockSupport.parkNanos(2_000_000);
          }
          double seconds = (System.nanoTime() - start) / 1e9;
          double leaked =
              algorithm == Algorithm.LEAKY_BUCKET ? limit * (seconds + 0.05) * 1e3 / duration : 0;
          // Each node may be behind by what the others admit within an exchange: its 50 ms, and the
          // way.
          assertThat(admitted).isBetween(limit - limit % hits, limit + (long) leaked + firstRound);
        });
  }
}
