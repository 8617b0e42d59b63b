package io.headgate.envoy.proxy;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.Status;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.runtime.v3.Runtime;
import io.headgate.protocol.link.Acceptor.Peer;
import io.headgate.protocol.link.Link;
import io.headgate.protocol.link.LinkListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A stream of incremental runtime discovery whose other end is a test. */
final class DeltaCall implements Link<DeltaDiscoveryResponse> {

  private final World world;
  private final LinkListener<DeltaDiscoveryRequest> listener;
  private final List<DeltaDiscoveryResponse> answers = new ArrayList<>();
  private boolean ready = true;
  private boolean closed;

  DeltaCall(World world) {
    this.world = world;
    listener = world.plane.delta().accept(new Peer("test", Set.of()), this);
  }

  /** Asks for the layer, as Envoy does first. */
  DeltaCall begin(String id) {
    return begin(World.node(id));
  }

  DeltaCall begin(Node node) {
    request(
        DeltaDiscoveryRequest.newBuilder()
            .setNode(node)
            .setTypeUrl(RuntimeWire.TYPE_URL)
            .addResourceNamesSubscribe("headgate"));
    return this;
  }

  void request(DeltaDiscoveryRequest.Builder request) {
    listener.onMessage(request.build());
    world.loop.run();
  }

  /** Takes the last answer. */
  void ack() {
    request(
        DeltaDiscoveryRequest.newBuilder()
            .setTypeUrl(RuntimeWire.TYPE_URL)
            .setResponseNonce(last().getNonce()));
  }

  /** Refuses the last answer. */
  void nack(String why) {
    request(
        DeltaDiscoveryRequest.newBuilder()
            .setTypeUrl(RuntimeWire.TYPE_URL)
            .setResponseNonce(last().getNonce())
            .setErrorDetail(Status.newBuilder().setCode(13).setMessage(why)));
  }

  List<DeltaDiscoveryResponse> answers() {
    return answers;
  }

  DeltaDiscoveryResponse last() {
    return answers.get(answers.size() - 1);
  }

  /** Whether the last answer only keeps alive what there is. */
  boolean lastIsHeartbeat() {
    return last().getResourcesCount() == 1 && !last().getResources(0).hasResource();
  }

  /** The ratios in the last answer. */
  Map<String, Long> ratios() {
    return ratios(last());
  }

  static Map<String, Long> ratios(DeltaDiscoveryResponse answer) {
    try {
      Runtime runtime = answer.getResources(0).getResource().unpack(Runtime.class);
      if (!runtime.getName().equals("headgate")) {
        throw new AssertionError("resource " + runtime.getName());
      }
      return World.ratios(runtime.getLayer());
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  void ready(boolean ready) {
    this.ready = ready;
    if (ready) {
      listener.onReady();
      world.loop.run();
    }
  }

  void lose() {
    listener.onClosed("test");
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public void send(DeltaDiscoveryResponse message) {
    answers.add(message);
  }

  @Override
  public boolean isReady() {
    return ready;
  }

  @Override
  public void close() {
    closed = true;
  }
}
