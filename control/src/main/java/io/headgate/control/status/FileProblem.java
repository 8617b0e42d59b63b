package io.headgate.control.status;

/**
 * Something wrong in a rule file.
 *
 * @param file the file's name, relative to the store
 * @param line from 1
 * @param column from 1
 * @param message what was found and what was expected
 */
public record FileProblem(String file, int line, int column, String message) {

  /** The form that editors and terminals understand: {@code file:line:column: message}. */
  @Override
  public String toString() {
    return file + ":" + line + ":" + column + ": " + message;
  }
}
