package io.headgate.keyed;

/**
 * What one request wants of one limit.
 *
 * @param limit the limit
 * @param key who is limited; any text
 * @param cost permits, 0 or more; 0 asks whether a permit is there
 */
public record Hit(NamedLimit limit, String key, long cost) {

  /**
   * @throws IllegalArgumentException if the cost is negative
   */
  public Hit {
    if (cost < 0) {
      throw new IllegalArgumentException("cost: " + cost + " (expected: 0 or more)");
    }
  }

  /** A request for one permit. */
  public static Hit of(NamedLimit limit, String key) {
    return new Hit(limit, key, 1);
  }
}
