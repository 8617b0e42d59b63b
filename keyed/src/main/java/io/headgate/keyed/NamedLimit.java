package io.headgate.keyed;

import io.headgate.core.limit.Inheritance;
import io.headgate.core.limit.Limit;
import java.util.regex.Pattern;

/**
 * A limit with the name under which its keys are counted. Another limit under the same name is a
 * change: it acts on live keys with their next request.
 *
 * @param name letters, digits, {@code .}, {@code _} and {@code -}, 100 at most
 * @param limit what a key may do
 * @param inheritance what live keys keep when this limit takes the place of another
 * @param shadow whether to count only: nothing is denied for it
 */
public record NamedLimit(String name, Limit limit, Inheritance inheritance, boolean shadow) {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,100}");

  /**
   * @throws IllegalArgumentException if the name has another form
   */
  public NamedLimit {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "name: '" + name + "' (expected: 1 to 100 letters, digits, '.', '_' and '-')");
    }
  }

  /** An enforced limit, of whose change live keys keep the permits they had left. */
  public static NamedLimit of(String name, Limit limit) {
    return new NamedLimit(name, limit, Inheritance.AS_IS, false);
  }

  /** The same limit, counted but not enforced. */
  public NamedLimit inShadow() {
    return new NamedLimit(name, limit, inheritance, true);
  }

  /** The same limit with another rule for live keys. */
  public NamedLimit inheriting(Inheritance rule) {
    return new NamedLimit(name, limit, rule, shadow);
  }
}
