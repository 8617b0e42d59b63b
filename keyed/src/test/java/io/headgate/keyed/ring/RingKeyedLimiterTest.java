package io.headgate.keyed.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.core.limit.FixedWindow;
import io.headgate.core.limit.SegmentedWindow;
import io.headgate.fixtures.FreePorts;
import io.headgate.keyed.Charge;
import io.headgate.keyed.Hit;
import io.headgate.keyed.KeyedDecision;
import io.headgate.keyed.KeyedLimiter;
import io.headgate.keyed.KeyedLimiterContract;
import io.headgate.keyed.NamedLimit;
import io.headgate.keyed.ring.bucket.HitKey;
import io.headgate.keyed.ring.discovery.PeerInfo;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Limits by key on the nodes of a cluster; each test has a node of its own to ask, of three. */
class RingKeyedLimiterTest extends KeyedLimiterContract {

  private static final AtomicLong NOW = new AtomicLong();
  private static final AtomicInteger TURN = new AtomicInteger();
  private static TestCluster cluster;
  private KeyedLimiter limiter;

  @BeforeAll
  static void start() {
    cluster = new TestCluster();
    List<PeerInfo> infos =
        List.of(
            PeerInfo.of("127.0.0.1:" + FreePorts.next()),
            PeerInfo.of("127.0.0.1:" + FreePorts.next()),
            PeerInfo.of("127.0.0.1:" + FreePorts.next()));
    infos.forEach(info -> cluster.start(info, builder -> builder.nanoClock(NOW::get)));
    cluster.peers.set(infos);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  /** Keys of the test before are as good as new after so long. */
  @BeforeEach
  void begin() {
    NOW.set((TURN.incrementAndGet() + 1L) * TimeUnit.DAYS.toNanos(10));
    limiter = cluster.node(TURN.get() % 3).limiter();
  }

  @Override
  protected KeyedLimiter limiter() {
    return limiter;
  }

  @Override
  protected void advance(Duration time) {
    NOW.addAndGet(time.toNanos());
  }

  @Test
  void allNodesCountOneKeyTogether() {
    NamedLimit limit = NamedLimit.of("together", SegmentedWindow.strict(6, MINUTE, 6));
    int admitted = 0;
    for (int i = 0; i < 12; i++) {
      KeyedDecision decision =
          cluster.node(i % 3).limiter().check(limit, "42", 1).toCompletableFuture().join();
      admitted += decision.allowed() ? 1 : 0;
    }
    assertThat(admitted).isEqualTo(6);
  }

  @Test
  void aChargeIsGivenBackToItsOwnerOnce() throws Exception {
    NamedLimit limit = NamedLimit.of("charge", new FixedWindow(10, MINUTE));
    String key = keyOwnedByAnother(limit.name());
    Charge charge = limiter.charge(List.of(new Hit(limit, key, 4))).toCompletableFuture().join();
    assertThat(ask(limit, key, 0).decision().remaining()).isEqualTo(6);
    charge.giveBack().run();
    charge.giveBack().run();
    org.awaitility.Awaitility.await()
        .untilAsserted(() -> assertThat(ask(limit, key, 0).decision().remaining()).isEqualTo(10));
  }

  private String keyOwnedByAnother(String name) {
    KeyedRing own = cluster.node(TURN.get() % 3);
    for (int i = 0; ; i++) {
      String key = Integer.toHexString(i * 0x9E3779B9);
      if (!own.owns(new HitKey(name, key))) {
        return key;
      }
    }
  }

  @Test
  void anOwnerThatIsDeadLeavesTheDecisionToTheNodeThatIsAsked() {
    try (TestCluster two = TestCluster.of(2, RingSettings.DEFAULT)) {
      NamedLimit limit = NamedLimit.of("dead", new FixedWindow(1, MINUTE));
      String key = two.keyOf(1, "dead");
      two.node(1).kill();
      KeyedLimiter alone = two.node(0).limiter();
      KeyedDecision first = alone.check(limit, key, 1).toCompletableFuture().join();
      assertThat(first.allowed()).isTrue();
      assertThat(first.degraded()).isTrue();
      assertThat(alone.check(limit, key, 1).toCompletableFuture().join().allowed()).isFalse();
    }
  }
}
