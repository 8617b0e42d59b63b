package io.headgate.core.rule;

/** The form of the names of services, rules, regions and zones. */
public final class Identifier {

  /** The most characters that a name has. */
  public static final int MAX_LENGTH = 128;

  /** The form in words, for messages. */
  public static final String EXPECTED =
      "1 to " + MAX_LENGTH + " printable ASCII characters without space or '|'";

  private Identifier() {}

  /** Whether {@code name} has the form. */
  public static boolean isValid(String name) {
    return !name.isEmpty()
        && name.length() <= MAX_LENGTH
        && name.chars().allMatch(c -> c > ' ' && c <= '~' && c != '|');
  }

  /**
   * The name itself.
   *
   * @param what what it is the name of, for the message
   * @throws IllegalArgumentException if it has not the form
   */
  static String require(String what, String name) {
    if (!isValid(name)) {
      throw new IllegalArgumentException(what + ": '" + name + "' (expected: " + EXPECTED + ")");
    }
    return name;
  }
}
