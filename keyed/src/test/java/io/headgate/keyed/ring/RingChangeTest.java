package io.headgate.keyed.ring;

import static io.headgate.keyed.ring.TestCluster.brief;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.core.hits.Behavior;
import io.headgate.fixtures.FreePorts;
import io.headgate.keyed.ring.bucket.HitKey;
import io.headgate.keyed.ring.cluster.Topology;
import io.headgate.keyed.ring.discovery.PeerInfo;
import io.headgate.protocol.gubernator.Algorithm;
import io.headgate.protocol.gubernator.GetPeerRateLimitsReq;
import io.headgate.protocol.gubernator.GetPeerRateLimitsResp;
import io.headgate.protocol.gubernator.HealthCheckReq;
import io.headgate.protocol.gubernator.PeersV1Grpc;
import io.headgate.protocol.gubernator.RateLimitReq;
import io.headgate.protocol.gubernator.RateLimitResp;
import io.headgate.protocol.gubernator.Status;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nodes come, leave and die. */
class RingChangeTest {

  private static final int KEYS = 100;
  private static final int LIMIT = 40;

  private final TestCluster cluster = TestCluster.of(3, RingSettings.DEFAULT);

  @AfterEach
  void stop() {
    cluster.close();
  }

  private static RateLimitReq request(String key, long hits) {
    return RateLimitReq.newBuilder()
        .setName("change")
        .setUniqueKey(key)
        .setHits(hits)
        .setLimit(LIMIT)
        .setDuration(600_000)
        .build();
  }

  /**
   * Keys that spread over the ring: FNV-1 puts those that differ in their last letters together.
   */
  private static String key(int i) {
    return Integer.toHexString(i * 0x9E3779B9) + "key";
  }

  private List<PeerInfo> infos(int... nodes) {
    List<PeerInfo> infos = new ArrayList<>();
    for (int node : nodes) {
      infos.add(PeerInfo.of(cluster.address(node)));
    }
    return infos;
  }

  @Test
  void bucketsMoveToANodeThatJoins() {
    for (int i = 0; i < KEYS; i++) {
      cluster.ask(i % 3, request(key(i), 20));
    }
    PeerInfo fourth = PeerInfo.of("127.0.0.1:" + FreePorts.next());
    List<PeerInfo> four = infos(0, 1, 2);
    four.add(fourth);
    cluster.start(fourth, builder -> builder);
    cluster.peers.set(four);

    for (int i = 0; i < KEYS; i++) {
      assertThat(brief(cluster.ask(i % 4, request(key(i), 0)))).isEqualTo("U20");
    }
    await().untilAsserted(() -> assertThat(cluster.node(3).gauges().buckets()).isPositive());
  }

  @Test
  void bucketsStayAndCountUntilANewOwnerTakesThem() {
    for (int i = 0; i < KEYS; i++) {
      cluster.ask(i % 3, request(key(i), 20));
    }
    PeerInfo fourth = PeerInfo.of("127.0.0.1:" + FreePorts.next());
    List<PeerInfo> four = infos(0, 1, 2);
    four.add(fourth);
    cluster.peers.set(four); // before it runs
    for (int node = 0; node < 3; node++) {
      int holder = node;
      await().until(() -> errorsOf(holder, fourth) > 6);
    }
    cluster.start(fourth, builder -> builder);

    for (int i = 0; i < KEYS; i++) {
      assertThat(brief(cluster.ask(3, request(key(i), 0)))).isEqualTo("U20");
    }
    await().untilAsserted(() -> assertThat(cluster.node(3).gauges().buckets()).isPositive());
    assertThat(cluster.node(0).gauges().unmoved()).isZero();
  }

  /** Between the question who the owner is and the hit, a thread may stand still for long. */
  @Test
  void aHitThatWasToBeCountedBeforeTheRingChangedIsCountedWhereTheBucketIs() {
    for (int i = 0; i < KEYS; i++) {
      cluster.ask(i % 3, request(key(i), 20));
    }
    int[] former = new int[KEYS];
    for (int i = 0; i < KEYS; i++) {
      former[i] = cluster.ownerOf("change", key(i));
    }
    List<Topology> before = new ArrayList<>();
    for (int node = 0; node < 3; node++) {
      before.add(cluster.node(node).node().topology());
    }
    PeerInfo fourth = PeerInfo.of("127.0.0.1:" + FreePorts.next());
    List<PeerInfo> four = infos(0, 1, 2);
    four.add(fourth);
    KeyedRing joining = cluster.start(fourth, builder -> builder);
    cluster.peers.set(four);
    await().until(() -> cluster.node(0).gauges().moved() > 0 && !isHandingOver());

    int moved = 0;
    for (int i = 0; i < KEYS; i++) {
      HitKey key = new HitKey("change", key(i));
      if (joining.owns(key)) {
        moved++;
        Question late = new Question(key, request(key(i), 1), 0, System.currentTimeMillis(), "");
        CompletableFuture<RateLimitResp> answer = new CompletableFuture<>();
        RateLimitResp here =
            cluster
                .node(former[i])
                .node()
                .owner()
                .count(before.get(former[i]), late, answer::complete);

        assertThat(here).as("counted where there is no bucket").isNull();
        assertThat(brief(answer.orTimeout(10, TimeUnit.SECONDS).join())).isEqualTo("U19");
        assertThat(brief(cluster.ask(3, request(key(i), 0)))).isEqualTo("U19");
      }
    }
    assertThat(moved).isPositive();
  }

  /**
   * Whoever has heard of a change asks the new owner, which may not have heard of it yet: the
   * bucket is still where it was.
   */
  @Test
  void aNodeThatIsAskedBeforeItHasHeardThatItIsTheOwnerCountsNothingAnew() {
    for (int i = 0; i < KEYS; i++) {
      assertThat(brief(cluster.ask(i % 3, request(key(i), LIMIT)))).isEqualTo("U0");
    }
    for (int i = 0; i < KEYS; i++) {
      int next = (cluster.ownerOf("change", key(i)) + 1) % 3;
      GetPeerRateLimitsReq question =
          GetPeerRateLimitsReq.newBuilder().addRequests(request(key(i), 1)).build();

      GetPeerRateLimitsResp answer =
          PeersV1Grpc.newBlockingStub(cluster.channel(cluster.address(next)))
              .withDeadlineAfter(10, TimeUnit.SECONDS)
              .getPeerRateLimits(question);

      assertThat(brief(answer.getRateLimits(0))).isEqualTo("O0");
    }
  }

  private boolean isHandingOver() {
    return IntStream.range(0, 3).anyMatch(node -> cluster.node(node).node().handOver().isRunning());
  }

  private long errorsOf(int node, PeerInfo peer) {
    return cluster.node(node).gauges().peers().stream()
        .filter(each -> each.address().equals(peer.grpcAddress()))
        .mapToLong(RingGauges.PeerGauges::errors)
        .sum();
  }

  @Test
  void bucketsOfANodeThatLeavesGoToTheOthers() {
    for (int i = 0; i < KEYS; i++) {
      cluster.ask(i % 3, request(key(i), 20));
    }
    int held = cluster.node(2).gauges().buckets();
    cluster.node(2).close();

    for (int i = 0; i < KEYS; i++) {
      assertThat(brief(cluster.ask(i % 2, request(key(i), 0)))).isEqualTo("U20");
    }
    assertThat(held).isPositive();
    assertThat(cluster.node(2).gauges().moved()).isEqualTo(held);
  }

  @Test
  void hitsThatAnAnswerWasGivenForReachTheirOwnerBeforeANodeLeaves() {
    String key = "global";
    int owner = cluster.ownerOf("change", key);
    int leaving = cluster.other("change", key, 0);
    RateLimitReq global = request(key, 7).toBuilder().setBehaviorValue(Behavior.GLOBAL).build();
    assertThat(brief(cluster.ask(leaving, global))).isEqualTo("U33");
    cluster.node(leaving).close();

    assertThat(brief(cluster.ask(owner, request(key, 0)))).isEqualTo("U33");
  }

  @Test
  void underLoadNothingIsLostWhenNodesComeAndGo() throws Exception {
    ExecutorService callers = Executors.newFixedThreadPool(2);
    Map<String, AtomicLong> admitted = new ConcurrentHashMap<>();
    AtomicLong errors = new AtomicLong();
    Map<String, Long> seen = new HashMap<>();
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int caller = 0; caller < 2; caller++) {
        int through = caller;
        running.add(callers.submit(load(through, admitted, errors)));
      }
      PeerInfo fourth = PeerInfo.of("127.0.0.1:" + FreePorts.next());
      List<PeerInfo> four = infos(0, 1, 2);
      four.add(fourth);
      cluster.start(fourth, builder -> builder);
      cluster.peers.set(four);
      TimeUnit.MILLISECONDS.sleep(300); // calls go on meanwhile
      cluster.node(2).close();
      for (Future<?> caller : running) {
        caller.get(30, TimeUnit.SECONDS);
      }
    } finally {
      callers.shutdownNow();
    }
    assertThat(errors).hasValue(0);
    admitted.forEach((key, count) -> seen.put(key, count.get()));
    assertThat(seen).hasSize(KEYS);
    assertThat(seen.values()).allMatch(count -> count == LIMIT);
  }

  private Callable<Object> load(int through, Map<String, AtomicLong> admitted, AtomicLong errors) {
    return () -> {
      for (int round = 0; round < LIMIT; round++) {
        for (int i = 0; i < KEYS; i++) {
          RateLimitResp answer = cluster.ask(through, request(key(i), 1));
          if (!answer.getError().isEmpty()) {
            errors.incrementAndGet();
          } else if (answer.getStatus() == Status.UNDER_LIMIT) {
            admitted.computeIfAbsent(key(i), k -> new AtomicLong()).incrementAndGet();
          }
        }
      }
      return null;
    };
  }

  @Test
  void anOwnerThatIsDeadMakesAnErrorOfItsItemsOnly() {
    String dead = cluster.keyOf(2, "change");
    String alive = cluster.keyOf(1, "change");
    cluster.node(2).kill();

    List<RateLimitResp> answers =
        cluster.ask(
            0,
            request(dead, 1),
            request(alive, 1),
            request(dead, 1).toBuilder().setBehaviorValue(Behavior.NO_BATCHING).build());

    assertThat(answers.get(0).getError())
        .startsWith(
            "while fetching rate limit 'change_"
                + dead
                + "' from peer: Error in getPeerRateLimitsBatch: Request error: Error in"
                + " client.GetPeerRateLimits: rpc error: code = Unavailable desc = ");
    assertThat(brief(answers.get(1))).isEqualTo("U39");
    assertThat(answers.get(2).getError())
        .startsWith(
            "while fetching rate limit 'change_"
                + dead
                + "' from peer: Error in GetPeerRateLimits: Error in client.GetPeerRateLimits:"
                + " rpc error: code = Unavailable desc = ");
    var health = cluster.client(0).healthCheck(HealthCheckReq.getDefaultInstance());
    assertThat(health.getStatus()).isEqualTo("healthy");
    assertThat(health.getMessage()).contains("from host " + cluster.address(2));
  }

  @Test
  void aNodeThatIsNotAmongThePeersIsUnhealthy() {
    cluster.peers.set(infos(0, 1));
    assertThat(cluster.node(2).health().getStatus()).isEqualTo("unhealthy");
    assertThat(cluster.node(2).health().getMessage())
        .contains("this instance is not found in the peer list");
  }

  @Test
  void withoutPeersEveryItemIsAnError() {
    cluster.peers.set(List.of());
    assertThat(brief(cluster.ask(0, request("k", 1))))
        .isEqualTo(
            "Error in GetPeer, looking up peer that owns rate limit 'change_k': Error in"
                + " conf.LocalPicker.Get: unable to pick a peer; pool is empty");
  }

  @Test
  void hitsOfAnOwnerThatIsDeadForAWhileAreOwedAndReachTheNext() {
    String key = cluster.keyOf(2, "change");
    cluster.node(2).kill();
    RateLimitReq global = request(key, 5).toBuilder().setBehaviorValue(Behavior.GLOBAL).build();
    assertThat(brief(cluster.ask(0, global))).isEqualTo("U35");
    await().untilAsserted(() -> assertThat(cluster.node(0).gauges().owedErrors()).isPositive());
    assertThat(cluster.node(0).gauges().owedKeys()).isEqualTo(1);

    cluster.peers.set(infos(0, 1));

    await()
        .atMost(10, TimeUnit.SECONDS)
        .untilAsserted(
            () -> {
              assertThat(cluster.node(0).gauges().owedKeys()).isZero();
              assertThat(brief(cluster.ask(1, request(key, 0)))).isEqualTo("U35");
            });
  }

  @Test
  void aLeakyBucketMovesWithItsFractions() {
    String key = cluster.keyOf(2, "leaky");
    RateLimitReq leaky =
        RateLimitReq.newBuilder()
            .setName("leaky")
            .setUniqueKey(key)
            .setAlgorithm(Algorithm.LEAKY_BUCKET)
            .setHits(10)
            .setLimit(10)
            .setDuration(30_000_000)
            .setCreatedAt(System.currentTimeMillis())
            .build();
    cluster.ask(0, leaky);
    RateLimitReq half =
        leaky.toBuilder().setHits(1).setCreatedAt(leaky.getCreatedAt() + 4_500_000).build();
    assertThat(brief(cluster.ask(0, half))).isEqualTo("U0");
    cluster.node(2).close();
    RateLimitReq whole = half.toBuilder().setCreatedAt(leaky.getCreatedAt() + 6_000_000).build();
    assertThat(brief(cluster.ask(0, whole))).isEqualTo("U0");
    assertThat(brief(cluster.ask(0, whole))).isEqualTo("O0");
  }
}
