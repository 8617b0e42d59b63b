package io.headgate.keyed.ring.discovery;

/** Something stands where a peer was expected. Its message says what, and what was expected. */
public final class MalformedPeerException extends Exception {

  private static final long serialVersionUID = 1;

  private final int line;

  /**
   * @param line from 1, in the text that was read
   */
  public MalformedPeerException(int line, String message) {
    super(message);
    this.line = line;
  }

  /** The line it stands in, from 1. */
  public int line() {
    return line;
  }
}
