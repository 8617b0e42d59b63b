package io.headgate.simulator.world;

import io.headgate.protocol.link.Acceptor;
import io.headgate.protocol.link.Connector;
import io.headgate.protocol.link.LinkListener;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The network between nodes: links that behave as gRPC streams do, under any {@link Weather}, and
 * places cut off from one another.
 */
public final class Network {

  /** How long a connection attempt into a void takes to fail. */
  static final long CONNECT_TIMEOUT_NANOS = 5_000_000_000L;

  /** How long a stream into a void takes to be given up: the keep-alive time and its timeout. */
  static final long KEEP_ALIVE_NANOS = 15_000_000_000L;

  /** What {@link #post} returns for a message that does not arrive. */
  public static final long LOST = -1;

  private static final Acceptor.Peer PEER = new Acceptor.Peer("virtual", Set.of());

  private final RandomGenerator random;
  private final Map<String, Port<?, ?>> ports = new HashMap<>();
  private final Set<Set<String>> cuts = new HashSet<>();

  /** Streams begin in each of several worlds. */
  private final Set<VirtualLink<?, ?>> open = Collections.synchronizedSet(new LinkedHashSet<>());

  private Weather weather;
  private long sentMessages;
  private long sentBytes;

  /** A network in which all is connected. */
  public Network(World world, Weather weather) {
    this.random = world.random();
    this.weather = weather;
  }

  /** Changes the weather for messages sent from now on. */
  public void weather(Weather weather) {
    this.weather = weather;
  }

  /** How many messages have been counted, see {@link #connector}. */
  public long sentMessages() {
    return sentMessages;
  }

  /** How many bytes of message have been counted, see {@link #connector}. */
  public long sentBytes() {
    return sentBytes;
  }

  /**
   * Cuts two places off from one another. As with TCP, what is sent meanwhile comes after the cut
   * is mended, in order; a stream that waits longer than the keep-alive allows is given up.
   */
  public void cut(String place, String other) {
    cuts.add(Set.of(place, other));
  }

  /** Connects two places again. */
  public void mend(String place, String other) {
    cuts.remove(Set.of(place, other));
    List.copyOf(open).forEach(VirtualLink::sendHeld);
  }

  /** Takes connections to {@code address}. */
  public <OutT, InT> void listen(String address, Node node, Acceptor<OutT, InT> acceptor) {
    ports.put(address, new Port<>(node, acceptor));
  }

  /** Kills a node; who is connected to it hears of it as of a reset connection. */
  public void kill(Node node) {
    node.kill();
    ports.values().removeIf(port -> port.node == node);
    for (VirtualLink<?, ?> link : List.copyOf(open)) {
      if (link.node() == node) {
        link.reset();
      }
    }
  }

  /** Breaks all streams of a node: what is under way on them is lost. */
  public void breakStreams(Node node) {
    for (VirtualLink<?, ?> link : List.copyOf(open)) {
      if (link.node() == node) {
        link.snap();
      }
    }
  }

  /**
   * A connector for a node.
   *
   * @param size gives the size on the wire of a message that goes out, to be counted, or is
   *     negative for one that is not counted
   */
  public <OutT, InT> Connector<OutT, InT> connector(Node node, ToLongFunction<OutT> size) {
    return (address, listener) -> connect(node, address, listener, size);
  }

  @SuppressWarnings(
      "unchecked") // An address stands for one method; its port has the method's types.
  private <OutT, InT> VirtualLink<OutT, InT> connect(
      Node node, String address, LinkListener<InT> listener, ToLongFunction<OutT> size) {
    VirtualLink<OutT, InT> client = new VirtualLink<>(this, node, size, true);
    client.listen(listener);
    long oneWayNanos = weather.delayNanos(random);
    @Nullable Port<InT, OutT> port = (Port<InT, OutT>) ports.get(address);
    if (port != null && isCut(node, port.node)) {
      node.world().after(CONNECT_TIMEOUT_NANOS, () -> client.closedByPeer("connect timeout"));
    } else if (port == null || !port.node.isAlive()) {
      node.world().after(2 * oneWayNanos, () -> client.closedByPeer("connection refused"));
    } else {
      // A connection costs a round trip; the first messages travel behind it.
      node.world()
          .post(
              port.node.world(), 3 * oneWayNanos, () -> port.node.run(() -> accept(client, port)));
    }
    return client;
  }

  private <OutT, InT> void accept(VirtualLink<OutT, InT> client, Port<InT, OutT> port) {
    if (client.isClosed()) {
      return;
    }
    VirtualLink<InT, OutT> server = new VirtualLink<>(this, port.node, message -> -1, false);
    open.add(client);
    open.add(server);
    server.join(client);
    server.listen(port.acceptor.accept(PEER, server));
    client.join(server);
  }

  /**
   * Sends a message outside of any stream and counts it, for a question that is too frequent to be
   * an event of its own.
   *
   * @param bytes its size, or negative for one that is not counted
   * @return how long it takes to get there, in nanoseconds; {@link #LOST} if it does not
   */
  public long post(Node from, Node to, long bytes) {
    count(bytes);
    boolean lost = !to.isRunning() || isCut(from, to) || chance(weather.loss());
    return lost ? LOST : delayNanos();
  }

  Weather weather() {
    return weather;
  }

  boolean chance(double probability) {
    return probability > 0 && random.nextDouble() < probability;
  }

  long delayNanos() {
    return weather.delayNanos(random);
  }

  /** Whether two places are cut off from one another. */
  public boolean isCut(String place, String other) {
    return !cuts.isEmpty() && !place.equals(other) && cuts.contains(Set.of(place, other));
  }

  boolean isCut(Node one, Node other) {
    return isCut(one.place(), other.place());
  }

  void count(long bytes) {
    if (bytes >= 0) {
      sentMessages++;
      sentBytes += bytes;
    }
  }

  void closed(VirtualLink<?, ?> link) {
    open.remove(link);
  }

  private record Port<OutT, InT>(Node node, Acceptor<OutT, InT> acceptor) {}
}
