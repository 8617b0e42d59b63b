package io.headgate.configurator.source.prometheus;

/** A failure that may be none the next time. */
final class TransientException extends Exception {

  private static final long serialVersionUID = 1L;

  private final long retryAfterMillis;

  /**
   * @param retryAfterMillis how long the server wants to be left alone; 0 if it does not say
   */
  TransientException(String message, long retryAfterMillis) {
    super(message);
    this.retryAfterMillis = retryAfterMillis;
  }

  long retryAfterMillis() {
    return retryAfterMillis;
  }
}
