package io.headgate.protocol.link;

/**
 * Opens links to peers.
 *
 * @param <OutT> the messages that go out
 * @param <InT> the messages that come in
 */
@FunctionalInterface
public interface Connector<OutT, InT> {

  /**
   * Starts a stream to {@code address}. Failure to connect is told to the listener as a closed
   * stream, never thrown.
   *
   * @param address host and port, such as {@code 10.0.0.7:7070}
   */
  Link<OutT> connect(String address, LinkListener<InT> listener);
}
