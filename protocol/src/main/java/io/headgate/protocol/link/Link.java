package io.headgate.protocol.link;

/**
 * The sending half of a stream to one peer. Used on its owner's event loop only.
 *
 * @param <OutT> the messages that go out
 */
public interface Link<OutT> {

  /** Sends a message, after those sent before it. What is sent on a closed link is lost. */
  void send(OutT message);

  /**
   * Whether a message would leave at once. A sender that can merge its messages should wait for
   * {@link LinkListener#onReady()} where this is false; nothing is lost if it does not.
   */
  boolean isReady();

  /** Ends the stream once what was sent has left. The listener hears nothing of it afterwards. */
  void close();
}
