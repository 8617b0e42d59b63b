package io.headgate.core.hits;

/** A request that no bucket can count; the message is for whoever sent it. */
public final class InvalidRequestException extends RuntimeException {

  /** Creates one; it has no stack trace, since it says nothing about this program. */
  public InvalidRequestException(String message) {
    super(message, null, false, false);
  }
}
