package io.headgate.keyed.ring;

import static io.headgate.keyed.ring.TestCluster.brief;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.headgate.core.hits.Behavior;
import io.headgate.protocol.gubernator.GetPeerRateLimitsReq;
import io.headgate.protocol.gubernator.GetPeerRateLimitsResp;
import io.headgate.protocol.gubernator.GetRateLimitsReq;
import io.headgate.protocol.gubernator.GetRateLimitsResp;
import io.headgate.protocol.gubernator.PeersV1Grpc;
import io.headgate.protocol.gubernator.RateLimitReq;
import io.headgate.protocol.gubernator.RateLimitResp;
import io.headgate.protocol.gubernator.V1Grpc;
import io.headgate.protocol.ring.v1.BatchId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Three nodes that own keys, as their clients and peers see them. */
class ClusterTest {

  private static final String NAME = "requests_per_sec";
  private static TestCluster cluster;

  @BeforeAll
  static void start() {
    cluster = TestCluster.of(3, RingSettings.DEFAULT);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static RateLimitReq.Builder hit(String key) {
    return RateLimitReq.newBuilder()
        .setName(NAME)
        .setUniqueKey(key)
        .setHits(1)
        .setLimit(10)
        .setDuration(60_000);
  }

  @Test
  void anItemWithoutKeyOrNameIsAnErrorOfItsOwn() {
    List<RateLimitResp> answers =
        cluster.ask(
            0,
            hit("one").build(),
            hit("").build(),
            hit("two").build(),
            hit("k").setName("").build(),
            hit("").setName("").build());

    assertThat(answers.stream().map(TestCluster::brief))
        .containsExactly(
            "U9",
            "field 'unique_key' cannot be empty",
            "U9",
            "field 'namespace' cannot be empty",
            "field 'unique_key' cannot be empty");
    assertThat(answers.get(1))
        .isEqualTo(
            RateLimitResp.newBuilder().setError("field 'unique_key' cannot be empty").build());
  }

  @Test
  void aCallHoldsAThousandItemsInTheirOrder() {
    GetRateLimitsReq.Builder thousand = GetRateLimitsReq.newBuilder();
    for (int i = 0; i < 1_000; i++) {
      thousand.addRequests(hit("thousand" + i).setLimit(i + 1));
    }
    List<RateLimitResp> answers =
        cluster.client(0).getRateLimits(thousand.build()).getResponsesList();

    assertThat(answers.stream().map(RateLimitResp::getRemaining))
        .containsExactlyElementsOf(IntStream.range(0, 1_000).mapToObj(i -> (long) i).toList());
    assertThatThrownBy(
            () -> cluster.client(0).getRateLimits(thousand.addRequests(hit("more")).build()))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessage("OUT_OF_RANGE: Requests.RateLimits list too large; max size is '1000'");
    GetPeerRateLimitsReq peers =
        GetPeerRateLimitsReq.newBuilder().addAllRequests(thousand.getRequestsList()).build();
    assertThatThrownBy(() -> peer(0).getPeerRateLimits(peers))
        .hasMessage("OUT_OF_RANGE: 'PeerRequest.rate_limits' list too large; max size is '1000'");
  }

  private static PeersV1Grpc.PeersV1BlockingStub peer(int index) {
    return PeersV1Grpc.newBlockingStub(cluster.channel(cluster.address(index)));
  }

  @Test
  void noItemsAreNoError() {
    assertThat(cluster.ask(0)).isEmpty();
  }

  @Test
  void moreThanAMebibyteIsRefusedAndTheNodeServesOn() {
    RateLimitReq large = hit("large").putMetadata("k", "x".repeat(1_100_000)).build();
    assertThatThrownBy(() -> cluster.ask(0, large))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining("RESOURCE_EXHAUSTED");
    assertThat(brief(cluster.ask(0, hit("after").build()))).isEqualTo("U9");
  }

  @Test
  void anAlgorithmThatDoesNotExistIsAnErrorWhoeverOwnsTheKey() {
    String own = cluster.keyOf(0, NAME);
    String others = cluster.keyOf(1, NAME);
    int global = Behavior.GLOBAL;
    assertThat(brief(cluster.ask(0, hit(own).setAlgorithmValue(5).build())))
        .isEqualTo(
            "Error while apply rate limit for '%s_%s': during workerPool.GetRateLimit: Invalid rate limit algorithm '5'"
                .formatted(NAME, own));
    assertThat(brief(cluster.ask(0, hit(others).setAlgorithmValue(5).build())))
        .isEqualTo(
            "Error in getLocalRateLimit: during workerPool.GetRateLimit: Invalid rate limit"
                + " algorithm '5'");
    assertThat(
            brief(
                cluster.ask(0, hit(others).setAlgorithmValue(5).setBehaviorValue(global).build())))
        .isEqualTo(
            "Error in getGlobalRateLimit: during in getLocalRateLimit: during"
                + " workerPool.GetRateLimit: Invalid rate limit algorithm '5'");
  }

  @Test
  void aCalendarUnitThatDoesNotExistIsAnError() {
    String key = cluster.keyOf(0, NAME);
    RateLimitReq request =
        hit(key).setDuration(99).setBehaviorValue(Behavior.DURATION_IS_GREGORIAN).build();
    assertThat(brief(cluster.ask(0, request)))
        .isEqualTo(
            ("Error while apply rate limit for '%s_%s': during workerPool.GetRateLimit: Error in"
                    + " tokenBucket: behavior DURATION_IS_GREGORIAN is set; but `Duration` is not a"
                    + " valid gregorian interval")
                .formatted(NAME, key));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, Behavior.NO_BATCHING})
  void allNodesCountOneKeyTogether(int behavior) {
    String key = "together" + behavior;
    List<String> answers = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      RateLimitReq request = hit(key).setLimit(5).setBehaviorValue(behavior).build();
      answers.add(brief(cluster.ask(i % 3, request)));
    }
    assertThat(answers).containsExactly("U4", "U3", "U2", "U1", "U0", "O0");
  }

  @Test
  void whoeverDoesNotOwnAKeySaysWhoDoes() {
    String key = cluster.keyOf(1, NAME);
    assertThat(cluster.ask(1, hit(key).build()).getMetadataMap()).isEmpty();
    assertThat(cluster.ask(0, hit(key).build()).getMetadataMap())
        .containsOnlyKeys("owner")
        .containsEntry("owner", cluster.address(1));
  }

  @Test
  void namesAndKeysAreNotMixedUp() {
    RateLimitReq one = hit("c").setName("a_b").setLimit(2).build();
    RateLimitReq other = hit("b_c").setName("a").setLimit(2).build();
    assertThat(brief(cluster.ask(0, one))).isEqualTo("U1");
    assertThat(brief(cluster.ask(0, other))).isEqualTo("U1");
  }

  @Test
  void healthNamesThePeers() {
    var health = cluster.client(0).healthCheck(healthRequest());
    assertThat(health.getStatus()).isEqualTo("healthy");
    assertThat(health.getPeerCount()).isEqualTo(3);
    assertThat(health.getAdvertiseAddress()).isEqualTo(cluster.address(0));
    assertThat(health.getLocalPeersList()).hasSize(3);
    assertThat(health.getRegionPeersList()).isEmpty();
  }

  private static io.headgate.protocol.gubernator.HealthCheckReq healthRequest() {
    return io.headgate.protocol.gubernator.HealthCheckReq.getDefaultInstance();
  }

  @Test
  void aBatchThatComesTwiceCountsOnce() {
    String key = cluster.keyOf(0, "twice");
    GetPeerRateLimitsReq batch =
        GetPeerRateLimitsReq.newBuilder()
            .addRequests(hit(key).setName("twice"))
            .setBatch(BatchId.newBuilder().setSender(42).setNumber(1))
            .build();
    GetPeerRateLimitsResp first = peer(0).getPeerRateLimits(batch);
    GetPeerRateLimitsResp second = peer(0).getPeerRateLimits(batch);

    assertThat(brief(first.getRateLimits(0))).isEqualTo("U9");
    assertThat(second).isEqualTo(first);
    assertThat(brief(cluster.ask(0, hit(key).setName("twice").setHits(0).build()))).isEqualTo("U9");
  }

  @Test
  void hitsThatWereAdmittedElsewhereCountBeyondTheLimitAndOnce() {
    String key = cluster.keyOf(0, "admitted");
    GetPeerRateLimitsReq batch =
        GetPeerRateLimitsReq.newBuilder()
            .addRequests(hit(key).setName("admitted").setHits(25))
            .setAdmitted(true)
            .setBatch(BatchId.newBuilder().setSender(43).setNumber(7))
            .build();
    peer(0).getPeerRateLimits(batch);
    peer(0).getPeerRateLimits(batch);
    RateLimitReq wider = hit(key).setName("admitted").setHits(0).setLimit(30).build();
    assertThat(brief(cluster.ask(0, wider))).isEqualTo("U5");
  }

  @Test
  void itemsOfOneCallAreAnsweredInTheirOrderWhoeverCountsThem() {
    await().untilAsserted(() -> assertThat(cluster.node(0).health().getPeerCount()).isEqualTo(3));
    RateLimitReq[] requests = new RateLimitReq[90];
    for (int i = 0; i < 90; i++) {
      requests[i] = hit("order" + i).setLimit(1_000 + i).build();
    }
    List<RateLimitResp> answers = cluster.ask(2, requests);
    for (int i = 0; i < 90; i++) {
      assertThat(answers.get(i).getRemaining()).isEqualTo(999 + i);
    }
  }

  @Test
  void callersThatGiveUpTakeNobodyWithThem() throws Exception {
    String key = cluster.keyOf(1, NAME);
    RateLimitReq request = hit(key).setLimit(1_000_000).build();
    GetRateLimitsReq call = GetRateLimitsReq.newBuilder().addRequests(request).build();
    List<Future<GetRateLimitsResp>> patient = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      var hasty = V1Grpc.newFutureStub(channel()).getRateLimits(call);
      patient.add(V1Grpc.newFutureStub(channel()).getRateLimits(call));
      hasty.cancel(true);
    }
    for (var answer : patient) {
      assertThat(answer.get().getResponses(0).getError()).isEmpty();
    }
  }

  private static ManagedChannel channel() {
    return cluster.channel(cluster.address(0));
  }
}
