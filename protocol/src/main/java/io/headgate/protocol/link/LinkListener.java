package io.headgate.protocol.link;

/**
 * The receiving half of a stream from one peer. Called on its owner's event loop only.
 *
 * @param <InT> the messages that come in
 */
public interface LinkListener<InT> {

  /** A message came, in the order in which the peer sent them. */
  void onMessage(InT message);

  /** The link takes messages at once again. */
  default void onReady() {}

  /**
   * The stream is over, by the peer's wish or by a failure; called at most once, and not after
   * {@link Link#close()}.
   *
   * @param reason what happened, for a log
   */
  void onClosed(String reason);
}
