package io.headgate.core.shed;

/**
 * What is offered to a bucket in a domain now.
 *
 * @param offeredPerSecond requests per second by {@link Level}, before any drop; {@value
 *     Level#COUNT} numbers, finite, none negative. The array is read, not kept.
 * @param variance the variance of their sum were requests a Poisson process: for each source its
 *     rate over the time it was counted
 * @param heldPerSecond of the limit, what sources take that cannot be told to shed: unreachable
 *     ones, and those failing open
 */
public record Demand(double[] offeredPerSecond, double variance, double heldPerSecond) {

  /** Demand that was counted over one second, all of it from sources that can be told to shed. */
  public static Demand overOneSecond(double[] offeredPerSecond) {
    double sum = 0;
    for (double offered : offeredPerSecond) {
      sum += offered;
    }
    return new Demand(offeredPerSecond, sum, 0);
  }
}
