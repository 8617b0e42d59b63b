package io.headgate.keyed.ring;

import static io.headgate.keyed.ring.TestCluster.brief;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.protocol.gubernator.RateLimitReq;
import io.headgate.protocol.gubernator.RateLimitResp;
import org.junit.jupiter.api.Test;

class UnreachableTest {

  @Test
  void byPolicyANodeAnswersForAnOwnerThatIsDeadAndSaysSo() {
    try (TestCluster cluster =
        TestCluster.of(2, RingSettings.DEFAULT.with(WhenUnreachable.LOCAL))) {
      String key = cluster.keyOf(1, "name");
      RateLimitReq request =
          RateLimitReq.newBuilder()
              .setName("name")
              .setUniqueKey(key)
              .setHits(1)
              .setLimit(2)
              .setDuration(60_000)
              .build();
      String owner = cluster.address(1);
      cluster.node(1).kill();

      RateLimitResp first = cluster.ask(0, request);
      assertThat(brief(first)).isEqualTo("U1");
      assertThat(first.getMetadataMap())
          .containsEntry("owner", owner)
          .containsEntry("degraded", "owner unreachable");
      assertThat(brief(cluster.ask(0, request))).isEqualTo("U0");
      assertThat(brief(cluster.ask(0, request))).isEqualTo("O0");
    }
  }
}
