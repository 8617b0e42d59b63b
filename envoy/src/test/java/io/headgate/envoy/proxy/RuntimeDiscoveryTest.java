package io.headgate.envoy.proxy;

import static io.headgate.envoy.proxy.World.first;
import static io.headgate.envoy.proxy.World.message;
import static io.headgate.envoy.proxy.World.requests;
import static io.headgate.envoy.proxy.World.rule;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import io.envoyproxy.envoy.service.runtime.v3.Runtime;
import io.headgate.protocol.link.Acceptor.Peer;
import io.headgate.protocol.link.Link;
import io.headgate.protocol.link.LinkListener;
import io.prometheus.client.Metrics.MetricFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RuntimeDiscoveryTest {

  private static final String KEY = "procedure|shop|/Charge";

  private final World world = new World();

  /** A proxy with a bucket that drops half, and its stream of layers, nothing of it taken yet. */
  private DeltaCall dropping() {
    counting();
    DeltaCall call = new DeltaCall(world).begin("proxy-1");
    assertThat(call.ratios()).isEqualTo(Map.of(KEY, 500_000L));
    return call;
  }

  private CountsCall counting() {
    CountsCall counts = new CountsCall(world);
    counts.send(first("proxy-1"));
    world.rules(rule("charge", null, "Charge"));
    counts.send(message(requests("checkout", "/Charge", 100, 1_000)));
    world.run(0.02);
    world.drop("charge", 0.5);
    return counts;
  }

  /** Lets time pass in which the control plane is there. */
  private void runDirected(double seconds) {
    for (double passed = 0; passed < seconds; passed += 1) {
      world.renew();
      world.run(Math.min(1, seconds - passed));
    }
  }

  @Test
  void theFirstAnswerComesAtOnceEvenIfNothingDrops() {
    DeltaCall call = new DeltaCall(world).begin("proxy-1");

    assertThat(call.answers()).hasSize(1);
    assertThat(call.ratios()).isEmpty();
    assertThat(call.last().getTypeUrl()).isEqualTo(RuntimeWire.TYPE_URL);
    assertThat(call.last().getResources(0).getName()).isEqualTo("headgate");
    assertThat(call.last().getResources(0).getTtl().getSeconds()).isEqualTo(10);
  }

  @Test
  void aProxyIsToldWhatIsInForceBeforeItHasCountedAnything() {
    DeltaCall call = new DeltaCall(world).begin("proxy-1");
    call.ack();
    world.rules(rule("charge", null, "Charge"), rule("some", null, "Ref*"));

    world.drop("charge", 0.5);

    assertThat(call.ratios()).isEqualTo(Map.of(KEY, 500_000L));
    assertThat(world.aggregators.last().reports()).isEmpty();
  }

  @Test
  void aChangeIsPushedAtOnceAndWhatDropsNoMoreIsClearedExplicitly() {
    DeltaCall call = dropping();
    call.ack();
    String version = call.last().getResources(0).getVersion();

    world.drop("charge", 0.25);
    assertThat(call.ratios()).isEqualTo(Map.of(KEY, 250_000L));
    assertThat(call.last().getResources(0).getVersion()).isNotEqualTo(version);

    call.ack();
    world.drop("charge", 0);
    assertThat(call.ratios()).isEmpty();
    assertThat(call.last().getResources(0).getTtl().getSeconds()).isEqualTo(10);
  }

  @Test
  void whatStaysAsItIsIsKeptAliveByHeartbeatsOfTheSameVersion() {
    DeltaCall call = dropping();
    call.ack();
    String version = call.last().getResources(0).getVersion();

    runDirected(2.9);
    assertThat(call.answers()).hasSize(1);
    runDirected(0.2);

    assertThat(call.lastIsHeartbeat()).isTrue();
    assertThat(call.last().getResources(0).getVersion()).isEqualTo(version);
    assertThat(call.last().getResources(0).getTtl().getSeconds()).isEqualTo(10);
    for (int i = 0; i < 4; i++) {
      call.ack();
      runDirected(3);
    }
    assertThat(call.answers()).hasSize(6);
    assertThat(world.counted("headgate.envoy.layers.heartbeats")).isEqualTo(5);
  }

  @Test
  void aRefusedHeartbeatMeansThatTheLayerHadExpiredAndBringsTheWholeAgain() {
    DeltaCall call = dropping();
    call.ack();
    runDirected(3.1);

    call.nack("type URL embedded in an individual Any");

    assertThat(call.lastIsHeartbeat()).isFalse();
    assertThat(call.ratios()).isEqualTo(Map.of(KEY, 500_000L));
    assertThat(world.counted("headgate.envoy.layers.expired")).isEqualTo(1);
    assertThat(world.counted("headgate.envoy.layers.refused")).isZero();
  }

  @Test
  void aRefusedLayerIsNotPushedAgainAndTheLastGoodOneIsKeptAlive() {
    DeltaCall call = dropping();
    call.ack();
    String good = call.last().getResources(0).getVersion();
    world.drop("charge", 0.25);
    call.nack("layer: no");

    runDirected(3.1);
    assertThat(call.answers()).hasSize(3);
    assertThat(call.lastIsHeartbeat()).isTrue();
    assertThat(call.last().getResources(0).getVersion()).isEqualTo(good);
    assertThat(world.counted("headgate.envoy.layers.refused")).isEqualTo(1);

    // That one had expired: the last good layer, whole.
    call.nack("expired");
    assertThat(call.ratios()).isEqualTo(Map.of(KEY, 500_000L));

    call.ack();
    world.drop("charge", 0.75);
    assertThat(call.ratios()).isEqualTo(Map.of(KEY, 750_000L));
  }

  @Test
  void afterAReconnectTheWholeComesWhateverVersionTheProxyHas() {
    DeltaCall call = dropping();
    call.ack();
    call.lose();

    DeltaCall again = new DeltaCall(world);
    again.request(
        DeltaDiscoveryRequest.newBuilder()
            .setNode(World.node("proxy-1"))
            .setTypeUrl(RuntimeWire.TYPE_URL)
            .addResourceNamesSubscribe("headgate")
            .putInitialResourceVersions("headgate", call.last().getResources(0).getVersion()));

    assertThat(again.ratios()).isEqualTo(Map.of(KEY, 500_000L));
    world.drop("charge", 0.25);
    assertThat(call.answers()).hasSize(1);
  }

  @Test
  void changesBeforeTheLastAnswerIsTakenMakeOne() {
    DeltaCall call = dropping();
    world.drop("charge", 0.1);
    world.drop("charge", 0.2);
    world.drop("charge", 0.3);
    assertThat(call.answers()).hasSize(1);

    call.ack();

    assertThat(call.answers()).hasSize(2);
    assertThat(call.ratios()).isEqualTo(Map.of(KEY, 300_000L));
  }

  @Test
  void aConnectionThatTakesNothingIsWaitedFor() {
    DeltaCall call = dropping();
    call.ack();
    call.ready(false);
    world.drop("charge", 0.1);
    world.drop("charge", 0.2);
    assertThat(call.answers()).hasSize(1);

    call.ready(true);

    assertThat(call.answers()).hasSize(2);
    assertThat(call.ratios()).isEqualTo(Map.of(KEY, 200_000L));
  }

  @Test
  void aboveAThousandKeysThereIsOnePushASecond() {
    CountsCall counts = new CountsCall(world);
    counts.send(first("proxy-1"));
    world.rules(rule("batch", "batch-*", null));
    List<MetricFamily> families = new ArrayList<>();
    for (int i = 0; i < 1_001; i++) {
      families.add(requests("batch-" + i, "/Charge", 1, 1_000));
    }
    counts.send(message(families.toArray(MetricFamily[]::new)));
    world.run(0.02);
    DeltaCall call = new DeltaCall(world).begin("proxy-1");
    call.ack();
    world.drop("batch", 0.5);
    // Unlike the answer to a request, the first large push waits until a second after that answer.
    assertThat(call.answers()).hasSize(1);
    world.run(1);
    assertThat(call.ratios()).hasSize(1_001);
    call.ack();

    world.drop("batch", 0.4);
    world.run(0.5);
    world.drop("batch", 0.3);
    world.run(0.45);
    assertThat(call.answers()).hasSize(2);
    world.run(0.1);

    assertThat(call.answers()).hasSize(3);
    assertThat(call.ratios()).containsEntry("caller|shop|batch-7", 300_000L);
  }

  @Test
  void whatIsNotThereIsSaidToBeAbsent() {
    DeltaCall call = new DeltaCall(world);
    call.request(
        DeltaDiscoveryRequest.newBuilder()
            .setNode(World.node("proxy-1"))
            .addResourceNamesSubscribe("another"));

    assertThat(call.answers()).hasSize(1);
    assertThat(call.last().getRemovedResourcesList()).containsExactly("another");
  }

  @Test
  void otherTypesOfResourcesAreIgnored() {
    DeltaCall call = new DeltaCall(world);
    call.request(
        DeltaDiscoveryRequest.newBuilder()
            .setNode(World.node("proxy-1"))
            .setTypeUrl("type.googleapis.com/envoy.config.cluster.v3.Cluster")
            .addResourceNamesSubscribe("headgate"));

    assertThat(call.answers()).isEmpty();
    assertThat(world.counted("headgate.envoy.requests.ignored")).isEqualTo(1);
  }

  @Test
  void whoeverUnsubscribesHearsNoMore() {
    DeltaCall call = dropping();
    call.ack();
    call.request(DeltaDiscoveryRequest.newBuilder().addResourceNamesUnsubscribe("headgate"));

    world.drop("charge", 0.1);
    runDirected(10);
    assertThat(call.answers()).hasSize(1);

    call.request(DeltaDiscoveryRequest.newBuilder().addResourceNamesSubscribe("headgate"));
    assertThat(call.ratios()).isEqualTo(Map.of(KEY, 100_000L));
  }

  @Test
  void withoutTheControlPlaneTheRatiosFallAndAreClearedAtLast() {
    DeltaCall call = dropping();
    for (int i = 0; i < 200; i++) {
      if (call.answers().size() > 0) {
        call.ack();
      }
      world.run(0.1);
    }

    assertThat(call.answers().stream().filter(a -> a.getResources(0).hasResource()).count())
        .isGreaterThan(50);
    world.run(3);
    assertThat(world.registry.get("headgate.envoy.keys").gauge().value()).isZero();
  }

  @Test
  void aProxyOfAnotherZoneIsRefused() {
    DeltaCall call =
        new DeltaCall(world)
            .begin(
                World.node("proxy-1").toBuilder()
                    .setLocality(World.node("x").getLocality().toBuilder().setZone("eu-2"))
                    .build());

    assertThat(call.isClosed()).isTrue();
    assertThat(call.answers()).isEmpty();
    assertThat(world.counted("headgate.envoy.proxies.refused")).isEqualTo(1);
  }

  @Test
  void aStreamThatBeginsWithoutANodeIsRefused() {
    DeltaCall call = new DeltaCall(world);
    call.request(DeltaDiscoveryRequest.newBuilder().addResourceNamesSubscribe("headgate"));

    assertThat(call.isClosed()).isTrue();
  }

  // ---- whole states

  private static final class WholeCall implements Link<DiscoveryResponse> {

    private final List<DiscoveryResponse> answers = new ArrayList<>();

    @Override
    public void send(DiscoveryResponse message) {
      answers.add(message);
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void close() {}

    Resource last() throws InvalidProtocolBufferException {
      return answers.get(answers.size() - 1).getResources(0).unpack(Resource.class);
    }
  }

  @Test
  void inWholeStatesTheWholeLayerIsWhatKeepsItAlive() throws Exception {
    counting();
    WholeCall call = new WholeCall();
    LinkListener<DiscoveryRequest> listener =
        world.plane.wholeState().accept(new Peer("test", Set.of()), call);
    DiscoveryRequest.Builder request =
        DiscoveryRequest.newBuilder().setTypeUrl(RuntimeWire.TYPE_URL).addResourceNames("headgate");
    listener.onMessage(request.clone().setNode(World.node("proxy-1")).build());
    assertThat(call.last().getTtl().getSeconds()).isEqualTo(10);
    assertThat(World.ratios(call.last().getResource().unpack(Runtime.class).getLayer()))
        .isEqualTo(Map.of(KEY, 500_000L));

    DiscoveryResponse answer = call.answers.get(0);
    listener.onMessage(
        request
            .clone()
            .setVersionInfo(answer.getVersionInfo())
            .setResponseNonce(answer.getNonce())
            .build());
    assertThat(call.answers).hasSize(1);
    runDirected(3.1);

    assertThat(call.answers).hasSize(2);
    assertThat(call.last().getResource().unpack(Runtime.class).getLayer().getFieldsCount())
        .isEqualTo(1);
    assertThat(call.answers.get(1).getVersionInfo()).isEqualTo(answer.getVersionInfo());
    assertThat(call.answers.get(1).getNonce()).isNotEqualTo(answer.getNonce());
  }
}
