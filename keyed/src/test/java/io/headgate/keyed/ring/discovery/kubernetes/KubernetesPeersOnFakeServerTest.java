package io.headgate.keyed.ring.discovery.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.headgate.keyed.ring.discovery.Heard;
import io.headgate.keyed.ring.discovery.PeerInfo;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Against the simulated API server of the client's library, which keeps objects and tells of their
 * changes; there is no real one that a test could start.
 */
@Execution(ExecutionMode.CONCURRENT)
class KubernetesPeersOnFakeServerTest {

  private static final KubernetesPeers.Pod SELF = new KubernetesPeers.Pod("10.0.0.1", 1051, "");

  private final Heard heard = new Heard();
  private KubernetesMockServer server;
  private KubernetesClient admin;
  private KubernetesPeers peers;

  @BeforeEach
  void start() {
    start(0);
  }

  private void start(int port) {
    server =
        new KubernetesMockServer(
            new Context(),
            new MockWebServer(),
            new HashMap<>(),
            new KubernetesCrudDispatcher(),
            false);
    server.init(InetAddress.getLoopbackAddress(), port);
    admin = server.createClient();
  }

  @AfterEach
  void end() {
    if (peers != null) {
      peers.close();
    }
    admin.close();
    server.destroy();
  }

  @Test
  void areTheReadyEndpointsOfAServiceAndThisPod() {
    create(
        slice("a", "headgate", "IPv4", endpoint(false, "10.0.0.1"), endpoint(true, "10.0.0.2")),
        slice("b", "headgate", "IPv4", endpoint(true, "10.0.0.2"), endpoint(null, "10.0.0.4")),
        slice("c", "headgate", "IPv4", endpoint(false, "10.0.0.5")),
        slice("d", "headgate", "IPv6", endpoint(true, "fd00::1")),
        slice("e", "other", "IPv4", endpoint(true, "10.0.9.9")));
    startOfService();
    awaitPeers("10.0.0.1:1051", "10.0.0.2:1051", "10.0.0.4:1051");
    await().until(() -> peers.problem().isEmpty());
    assertThat(heard.lists()).hasSize(1);
  }

  @Test
  void joinAndLeaveAsEndpointsDo() {
    create(slice("a", "headgate", "IPv4", endpoint(true, "10.0.0.1")));
    startOfService();
    awaitPeers("10.0.0.1:1051");
    create(slice("b", "headgate", "IPv4", endpoint(true, "10.0.0.2")));
    awaitPeers("10.0.0.1:1051", "10.0.0.2:1051");
    admin
        .discovery()
        .v1()
        .endpointSlices()
        .inNamespace("limits")
        .resource(slice("b", "headgate", "IPv4", endpoint(false, "10.0.0.2")))
        .update();
    awaitPeers("10.0.0.1:1051");
    create(slice("c", "headgate", "IPv4", endpoint(true, "10.0.0.3")));
    awaitPeers("10.0.0.1:1051", "10.0.0.3:1051");
    admin.discovery().v1().endpointSlices().inNamespace("limits").withName("c").delete();
    awaitPeers("10.0.0.1:1051");
  }

  @Test
  void stayWhenTheServiceHasNone() {
    create(slice("a", "headgate", "IPv4", endpoint(true, "10.0.0.1")));
    startOfService();
    awaitPeers("10.0.0.1:1051");
    admin.discovery().v1().endpointSlices().inNamespace("limits").withName("a").delete();
    await()
        .untilAsserted(
            () ->
                assertThat(peers.problem())
                    .isEqualTo(
                        "peers in Kubernetes: endpoints of service headgate in namespace limits:"
                            + " none is ready (expected: at least this pod)"));
    assertThat(heard.addresses()).containsExactly("10.0.0.1:1051");
    create(slice("a", "headgate", "IPv4", endpoint(true, "10.0.0.1")));
    await().until(() -> peers.problem().isEmpty());
  }

  @Test
  void areOfTheDataCenterOfTheirCluster() {
    create(slice("a", "headgate", "IPv4", endpoint(true, "10.0.0.1")));
    peers =
        KubernetesPeers.ofService(
            new KubernetesPeers.Pod("10.0.0.1", 81, "eu"),
            "limits",
            "headgate",
            server.createClient());
    peers.start(heard);
    await().until(() -> heard.latest().equals(List.of(new PeerInfo("10.0.0.1:81", "", "eu"))));
  }

  @Test
  void areTheReadyPodsWithLabelsAndThisPod() {
    create(
        pod("a", "headgate", "10.0.0.1", container(false)),
        pod("b", "headgate", "10.0.0.2", container(true), container(true)),
        pod("c", "headgate", "10.0.0.3", container(true), container(false)),
        pod("d", "headgate", "fd00::4", container(true)),
        pod("e", "headgate", null),
        pod("f", "headgate", "10.0.0.6"),
        pod("g", "other", "10.0.9.9", container(true)));
    startOfPods();
    awaitPeers("10.0.0.1:1051", "10.0.0.2:1051", "[fd00::4]:1051");
    admin
        .pods()
        .inNamespace("limits")
        .resource(pod("c", "headgate", "10.0.0.3", container(true)))
        .update();
    awaitPeers("10.0.0.1:1051", "10.0.0.2:1051", "10.0.0.3:1051", "[fd00::4]:1051");
    admin.pods().inNamespace("limits").withName("b").delete();
    awaitPeers("10.0.0.1:1051", "10.0.0.3:1051", "[fd00::4]:1051");
  }

  @Test
  void aPodThatIsBeingEndedIsNoPeerUnlessItIsThisOne() {
    List<Pod> pods = new ArrayList<>();
    for (String address : List.of("10.0.0.1", "10.0.0.2")) {
      pods.add(
          new PodBuilder(pod("p", "headgate", address, container(true)))
              .editMetadata()
              .withDeletionTimestamp("2026-01-01T00:00:00Z")
              .endMetadata()
              .build());
    }
    assertThat(PodSource.ofPods(pods, "10.0.0.1")).containsExactly("10.0.0.1");
  }

  @Test
  void stayWhileTheServerIsAwayAndGoOnWhenItIsBack() {
    create(slice("a", "headgate", "IPv4", endpoint(true, "10.0.0.1")));
    startOfService();
    awaitPeers("10.0.0.1:1051");
    server.destroy();
    await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () ->
                peers
                    .problem()
                    .startsWith(
                        "peers in Kubernetes: endpoints of service headgate in namespace limits:"
                            + " not connected"));
    assertThat(heard.lists()).hasSize(1);
    int port = server.getPort();
    admin.close();
    start(port);
    create(
        slice("a", "headgate", "IPv4", endpoint(true, "10.0.0.1")),
        slice("b", "headgate", "IPv4", endpoint(true, "10.0.0.2")));
    await()
        .atMost(Duration.ofSeconds(40))
        .untilAsserted(
            () -> assertThat(heard.addresses()).containsExactly("10.0.0.1:1051", "10.0.0.2:1051"));
    await().until(() -> peers.problem().isEmpty());
  }

  private void startOfService() {
    peers = KubernetesPeers.ofService(SELF, "limits", "headgate", server.createClient());
    peers.start(heard);
  }

  private void startOfPods() {
    peers = KubernetesPeers.ofPods(SELF, "limits", "app=headgate", server.createClient());
    peers.start(heard);
  }

  private void awaitPeers(String... addresses) {
    await()
        .atMost(Duration.ofSeconds(30)) // the first one loads thousands of classes
        .untilAsserted(() -> assertThat(heard.addresses()).containsExactly(addresses));
  }

  private void create(EndpointSlice... slices) {
    for (EndpointSlice slice : slices) {
      admin.discovery().v1().endpointSlices().inNamespace("limits").resource(slice).create();
    }
  }

  private void create(Pod... pods) {
    for (Pod pod : pods) {
      admin.pods().inNamespace("limits").resource(pod).create();
    }
  }

  private static EndpointSlice slice(
      String name, String service, String addressType, Endpoint... endpoints) {
    return new EndpointSliceBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace("limits")
        .addToLabels("kubernetes.io/service-name", service)
        .endMetadata()
        .withAddressType(addressType)
        .withEndpoints(endpoints)
        .build();
  }

  private static Endpoint endpoint(Boolean ready, String address) {
    return new EndpointBuilder()
        .withAddresses(address)
        .withNewConditions()
        .withReady(ready)
        .endConditions()
        .build();
  }

  private static Pod pod(String name, String app, String address, ContainerStatus... containers) {
    return new PodBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace("limits")
        .addToLabels("app", app)
        .endMetadata()
        .withNewStatus()
        .withPodIP(address)
        .withContainerStatuses(containers)
        .endStatus()
        .build();
  }

  private static ContainerStatus container(boolean ready) {
    return new ContainerStatusBuilder()
        .withName("c")
        .withReady(ready)
        .withNewState()
        .withNewRunning()
        .endRunning()
        .endState()
        .build();
  }
}
