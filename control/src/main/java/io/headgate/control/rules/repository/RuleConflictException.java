package io.headgate.control.rules.repository;

/** The rules are not what a change was made from; nothing was written. */
public final class RuleConflictException extends Exception {

  private static final long serialVersionUID = 1;

  RuleConflictException(String message) {
    super(message);
  }
}
