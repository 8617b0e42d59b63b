package io.headgate.core.rule;

import java.util.Objects;

/**
 * Matches the names of callers or procedures: all of them, those with a prefix ({@code
 * payments.v1.Payments/*}), or one.
 */
public final class NamePattern {

  private static final NamePattern ANY = new NamePattern("", Kind.ANY);

  private enum Kind {
    ANY,
    PREFIX,
    EXACT
  }

  private final String text;
  private final Kind kind;

  private NamePattern(String text, Kind kind) {
    this.text = text;
    this.kind = kind;
  }

  /** Matches every name. */
  public static NamePattern any() {
    return ANY;
  }

  /**
   * A pattern from its written form: a name, a prefix that ends in {@code *}, or {@code *} for
   * every name.
   *
   * @throws IllegalArgumentException if the text is empty or has a {@code *} anywhere but at its
   *     end
   */
  public static NamePattern of(String text) {
    int star = text.indexOf('*');
    if (text.isEmpty() || (star >= 0 && star < text.length() - 1)) {
      throw new IllegalArgumentException(
          "pattern: '" + text + "' (expected: a name, or a prefix that ends in the only '*')");
    }
    if (star == 0) {
      return ANY;
    }
    return star > 0
        ? new NamePattern(text.substring(0, star), Kind.PREFIX)
        : new NamePattern(text, Kind.EXACT);
  }

  /** Whether {@code name} is one that this pattern is about. */
  public boolean matches(String name) {
    return switch (kind) {
      case ANY -> true;
      case PREFIX -> name.startsWith(text);
      case EXACT -> name.equals(text);
    };
  }

  /** Whether every name matches. */
  public boolean isAny() {
    return kind == Kind.ANY;
  }

  /**
   * How closely the pattern describes what it matches: 0 for every name, the prefix's length and
   * one for a prefix, {@link Integer#MAX_VALUE} for one name.
   */
  public int specificity() {
    return switch (kind) {
      case ANY -> 0;
      case PREFIX -> text.length() + 1;
      case EXACT -> Integer.MAX_VALUE;
    };
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof NamePattern other && kind == other.kind && text.equals(other.text);
  }

  @Override
  public int hashCode() {
    return Objects.hash(text, kind);
  }

  /** The written form. */
  @Override
  public String toString() {
    return switch (kind) {
      case ANY -> "*";
      case PREFIX -> text + "*";
      case EXACT -> text;
    };
  }
}
