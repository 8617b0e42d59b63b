package io.headgate.protocol.link;

import java.util.Set;

/**
 * Takes the links that peers open.
 *
 * @param <OutT> the messages that go out
 * @param <InT> the messages that come in
 */
@FunctionalInterface
public interface Acceptor<OutT, InT> {

  /**
   * A peer opened a stream. Called on the owner's event loop.
   *
   * @param peer who it is
   * @return the listener for what the peer sends
   */
  LinkListener<InT> accept(Peer peer, Link<OutT> link);

  /**
   * The other end of a link.
   *
   * @param address where it connects from, for a log
   * @param identities the URI and DNS names of its verified certificate; empty without mutual TLS
   */
  record Peer(String address, Set<String> identities) {}
}
