package io.headgate.keyed.ring.discovery;

import java.util.List;
import java.util.function.Consumer;

/** Finds the nodes of a cluster, and makes this one known where it can. */
public interface PeerDiscovery extends AutoCloseable {

  /**
   * Begins to look for peers.
   *
   * @param peers told of all peers that are known, this node among them, at first and after each
   *     change; one call at a time. A source that cannot be reached changes nothing: the last peers
   *     stay.
   * @throws IllegalStateException if it was started before
   */
  void start(Consumer<List<PeerInfo>> peers);

  /** What is wrong at the moment, to be shown with the node's health; empty if nothing is. */
  String problem();

  /** Makes this node unknown to others, where it had made itself known, and ends the search. */
  @Override
  void close();
}
