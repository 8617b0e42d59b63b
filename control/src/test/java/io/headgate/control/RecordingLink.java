package io.headgate.control;

import io.headgate.protocol.link.Link;
import java.util.ArrayList;
import java.util.List;

/**
 * A link that keeps what is sent on it for a test to look at.
 *
 * @param <OutT> the messages that go out
 */
public final class RecordingLink<OutT> implements Link<OutT> {

  private final List<OutT> sent = new ArrayList<>();
  private boolean ready = true;
  private boolean closed;

  @Override
  public void send(OutT message) {
    if (!closed) {
      sent.add(message);
    }
  }

  @Override
  public boolean isReady() {
    return ready && !closed;
  }

  @Override
  public void close() {
    closed = true;
  }

  /** Whether {@link #close()} was called. */
  public boolean isClosed() {
    return closed;
  }

  /** Sets whether it would take a message at once. */
  public void ready(boolean ready) {
    this.ready = ready;
  }

  /** What was sent since the last call. */
  public List<OutT> take() {
    List<OutT> taken = List.copyOf(sent);
    sent.clear();
    return taken;
  }
}
