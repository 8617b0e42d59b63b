package io.headgate.configurator.source;

/** A rate that cannot be read. The message is for people: what, where, and what to do. */
public final class SourceException extends Exception {

  private static final long serialVersionUID = 1L;

  /** A rate cannot be read for this reason. */
  public SourceException(String message) {
    super(message);
  }
}
