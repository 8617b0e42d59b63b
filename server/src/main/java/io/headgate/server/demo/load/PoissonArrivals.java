package io.headgate.server.demo.load;

import java.util.random.RandomGenerator;

/**
 * Arrivals of a Poisson process whose rate changes in time. Time is measured by the number of
 * arrivals that it should bring on average; in that time the process has rate one, whatever the
 * rate per second does (the time-rescaling theorem).
 */
final class PoissonArrivals {

  private final RandomGenerator random;
  private double expected;
  private double next;

  PoissonArrivals(RandomGenerator random) {
    this.random = random;
    next = random.nextExponential();
  }

  /** How many arrive in a time that brings {@code mean} on average; 0 or more. */
  int advance(double mean) {
    expected += mean;
    int arrived = 0;
    while (next <= expected) {
      next += random.nextExponential();
      arrived++;
    }
    return arrived;
  }
}
