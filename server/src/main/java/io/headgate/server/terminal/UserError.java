package io.headgate.server.terminal;

/**
 * Something that the person who typed the command can put right: printed as one line, without a
 * stack trace.
 */
public final class UserError extends RuntimeException {

  /** The exit code for a command line that does not make sense. */
  public static final int USAGE = 2;

  /** The exit code for a command that was understood and failed. */
  public static final int FAILED = 1;

  private static final long serialVersionUID = 1L;

  private final int exitCode;

  private UserError(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  /** The command line does not make sense; says what was found and what was expected. */
  public static UserError usage(String message) {
    return new UserError(USAGE, message);
  }

  /** The command was understood and failed. */
  public static UserError failed(String message) {
    return new UserError(FAILED, message);
  }

  /** What the program ends with. */
  public int exitCode() {
    return exitCode;
  }
}
