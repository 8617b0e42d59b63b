package io.headgate.control.rules.repository;

/** An edit cannot be made to the files as they are; nothing was written. */
public final class InvalidEditException extends Exception {

  private static final long serialVersionUID = 1;

  InvalidEditException(String message) {
    super(message);
  }
}
