package io.headgate.simulator.world;

import io.headgate.protocol.link.Link;
import io.headgate.protocol.link.LinkListener;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** One side of a stream through the {@link Network}. */
final class VirtualLink<OutT, InT> implements Link<OutT> {

  private final Network network;
  private final Node node;
  private final ToLongFunction<OutT> size;
  private final boolean reports;
  private final List<OutT> beforeJoined = new ArrayList<>();

  /** What waits for the end of a cut. */
  private final List<OutT> held = new ArrayList<>();

  private @Nullable VirtualLink<InT, OutT> peer;
  private @Nullable LinkListener<InT> listener;
  private long lastArrivalNanos;
  private boolean closed;

  /**
   * A side of a stream.
   *
   * @param reports whether it is the side that opened the stream, on which reports go out: these
   *     must bear being overtaken, while what comes down relies on the order that a link promises
   */
  VirtualLink(Network network, Node node, ToLongFunction<OutT> size, boolean reports) {
    this.network = network;
    this.node = node;
    this.size = size;
    this.reports = reports;
  }

  void listen(LinkListener<InT> listener) {
    this.listener = listener;
  }

  void join(VirtualLink<InT, OutT> peer) {
    this.peer = peer;
    beforeJoined.forEach(message -> deliver(message, peer));
    beforeJoined.clear();
  }

  Node node() {
    return node;
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public void send(OutT message) {
    if (closed || !node.isAlive()) {
      return;
    }
    network.count(size.applyAsLong(message));
    if (peer == null) {
      beforeJoined.add(message);
    } else {
      deliver(message, peer);
    }
  }

  private void deliver(OutT message, VirtualLink<InT, OutT> to) {
    Weather weather = network.weather();
    if (network.isCut(node, to.node)) {
      hold(message, to);
      return;
    }
    if (network.chance(weather.loss())) {
      return;
    }
    World world = node.world();
    long now = world.nowNanos();
    long at = now + network.delayNanos();
    if (reports && network.chance(weather.reordering())) {
      at += 2 * weather.latencyNanos();
    } else {
      at = Math.max(at, lastArrivalNanos); // A stream keeps its order.
      lastArrivalNanos = at;
    }
    world.post(to.node.world(), at - now, new Arrival<>(to, message));
    if (network.chance(weather.duplication())) {
      world.post(to.node.world(), at - now, new Arrival<>(to, message)); // Right behind, in order.
    }
  }

  private void hold(OutT message, VirtualLink<InT, OutT> to) {
    if (held.isEmpty()) {
      node.world()
          .after(
              Network.KEEP_ALIVE_NANOS,
              () -> {
                if (!held.isEmpty() && held.get(0) == message) {
                  closedByPeer("keep-alive timed out");
                  to.closedByPeer("keep-alive timed out");
                }
              });
    }
    held.add(message);
  }

  /** Sends what waits, if the cut is over. */
  void sendHeld() {
    VirtualLink<InT, OutT> to = peer;
    if (to != null && !held.isEmpty()) {
      List<OutT> messages = List.copyOf(held);
      held.clear();
      messages.forEach(message -> deliver(message, to));
    }
  }

  private void hear(InT message) {
    if (!closed && listener != null) {
      listener.onMessage(message);
    }
  }

  /** A message arrives, and is heard as soon as the node runs. */
  private static final class Arrival<InT> implements Runnable {

    private final VirtualLink<?, InT> to;
    private final InT message;
    private boolean arrived;

    Arrival(VirtualLink<?, InT> to, InT message) {
      this.to = to;
      this.message = message;
    }

    @Override
    public void run() {
      if (arrived) {
        to.hear(message);
      } else {
        arrived = true;
        to.node.run(this);
      }
    }
  }

  @Override
  public boolean isReady() {
    return !closed && node.isAlive() && peer != null;
  }

  @Override
  public void close() {
    end(
        "ended by the peer",
        Math.max(network.delayNanos(), lastArrivalNanos - node.world().nowNanos()));
  }

  /** The node died. */
  void reset() {
    end("connection reset", network.delayNanos());
  }

  /** The connection is lost, with all that is under way. */
  void snap() {
    VirtualLink<InT, OutT> other = peer;
    closedByPeer("connection lost");
    if (other != null) {
      other.closedByPeer("connection lost");
    }
  }

  private void end(String reason, long delayNanos) {
    if (closed) {
      return;
    }
    closed = true;
    network.closed(this);
    VirtualLink<InT, OutT> other = peer;
    if (other != null) {
      long heardNanos = network.isCut(node, other.node) ? Network.KEEP_ALIVE_NANOS : delayNanos;
      node.world().post(other.node.world(), heardNanos, () -> other.closedByPeer(reason));
    }
  }

  void closedByPeer(String reason) {
    if (closed) {
      return;
    }
    closed = true;
    network.closed(this);
    node.run(
        () -> {
          if (listener != null) {
            listener.onClosed(reason);
          }
        });
  }
}
