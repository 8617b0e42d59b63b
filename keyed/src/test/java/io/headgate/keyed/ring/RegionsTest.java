package io.headgate.keyed.ring;

import static io.headgate.keyed.ring.TestCluster.brief;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.core.hits.Behavior;
import io.headgate.fixtures.FreePorts;
import io.headgate.keyed.ring.discovery.PeerInfo;
import io.headgate.protocol.gubernator.HealthCheckResp;
import io.headgate.protocol.gubernator.PeerHealthResp;
import io.headgate.protocol.gubernator.RateLimitReq;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nodes in two data centers. */
class RegionsTest {

  private final TestCluster cluster = new TestCluster();

  @BeforeEach
  void start() {
    List<PeerInfo> infos = new ArrayList<>();
    for (String dataCenter : List.of("east", "east", "west", "west", "west")) {
      infos.add(new PeerInfo("127.0.0.1:" + FreePorts.next(), "", dataCenter));
    }
    infos.forEach(info -> cluster.start(info, builder -> builder));
    cluster.peers.set(infos);
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private static RateLimitReq request(long hits, int behavior) {
    return RateLimitReq.newBuilder()
        .setName("regions")
        .setUniqueKey("key")
        .setHits(hits)
        .setLimit(100)
        .setDuration(600_000)
        .setBehaviorValue(behavior)
        .build();
  }

  private String ask(int node, long hits, int behavior) {
    return brief(cluster.ask(node, request(hits, behavior)));
  }

  @Test
  void eachDataCenterCountsForItself() {
    assertThat(ask(0, 10, 0)).isEqualTo("U90");
    assertThat(ask(1, 10, 0)).isEqualTo("U80");
    assertThat(ask(2, 10, 0)).isEqualTo("U90");
    HealthCheckResp health = cluster.node(0).health();
    assertThat(health.getPeerCount()).isEqualTo(5);
    assertThat(health.getLocalPeersList())
        .extracting(PeerHealthResp::getDataCenter)
        .containsExactly("east", "east");
    assertThat(health.getRegionPeersList())
        .extracting(PeerHealthResp::getDataCenter)
        .containsExactly("west", "west", "west");
  }

  @Test
  void multiRegionHitsAreCountedInAllDataCenters() {
    assertThat(ask(0, 10, Behavior.MULTI_REGION)).isEqualTo("U90");
    assertThat(ask(3, 20, Behavior.MULTI_REGION)).startsWith("U");
    await()
        .untilAsserted(
            () -> {
              for (int i = 0; i < 5; i++) {
                assertThat(ask(i, 0, Behavior.MULTI_REGION)).isEqualTo("U70");
              }
            });
    assertThat(ask(1, 70, Behavior.MULTI_REGION)).isEqualTo("U0");
    await().untilAsserted(() -> assertThat(ask(4, 1, Behavior.MULTI_REGION)).isEqualTo("O0"));
  }

  @Test
  void multiRegionAndGlobalGoTogether() {
    int both = Behavior.MULTI_REGION | Behavior.GLOBAL;
    assertThat(ask(0, 10, both)).isEqualTo("U90");
    await()
        .untilAsserted(
            () -> {
              for (int i = 0; i < 5; i++) {
                assertThat(ask(i, 0, both)).isEqualTo("U90");
              }
            });
  }
}
