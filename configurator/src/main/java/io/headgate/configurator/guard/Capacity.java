package io.headgate.configurator.guard;

import io.headgate.configurator.parameters.Parameters;

/**
 * What a service can bear, and how far the limits of its callers may go beyond that: they do not
 * all reach theirs at the same time.
 *
 * @param perSecond requests per second
 * @param maxOvercommit how many times that the limits may sum up to
 */
public record Capacity(double perSecond, double maxOvercommit) {

  /** What somebody has set. */
  public static Capacity of(Parameters parameters) {
    Capacity capacity =
        new Capacity(
            parameters.rate("capacity"), parameters.number("maxOvercommit", 1.5, 0.01, 1000));
    parameters.finish();
    return capacity;
  }

  /** How many times the capacity some limits are together. */
  public double overcommit(double sumPerSecond) {
    return sumPerSecond / perSecond;
  }

  /** Whether that is too much. */
  public boolean isExceededBy(double sumPerSecond) {
    return sumPerSecond > perSecond * maxOvercommit;
  }
}
