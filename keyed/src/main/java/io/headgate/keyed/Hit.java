package io.headgate.keyed;

import java.util.List;

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

  /**
   * Checks what every backend expects of the hits of a request.
   *
   * @throws IllegalArgumentException if there is none, or two are of the same limit and key
   */
  public static void require(List<Hit> hits) {
    if (hits.isEmpty()) {
      throw new IllegalArgumentException("hits: none (expected: one at least)");
    }
    for (int i = 1; i < hits.size(); i++) {
      for (int j = 0; j < i; j++) {
        if (hits.get(i).isFor(hits.get(j))) {
          throw new IllegalArgumentException(
              "hits: two of "
                  + hits.get(i).limit.name()
                  + " with the key '"
                  + hits.get(i).key
                  + "' (expected: one, with the sum of their costs)");
        }
      }
    }
  }

  private boolean isFor(Hit other) {
    return key.equals(other.key) && limit.name().equals(other.limit.name());
  }

  /** A request for one permit. */
  public static Hit of(NamedLimit limit, String key) {
    return new Hit(limit, key, 1);
  }
}
