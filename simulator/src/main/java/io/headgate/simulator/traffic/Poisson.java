package io.headgate.simulator.traffic;

import java.util.random.RandomGenerator;

/** Draws from the Poisson distribution. */
public final class Poisson {

  /** Above this mean a normal distribution is close enough and a product of uniforms too slow. */
  private static final double NORMAL_FROM = 60;

  private Poisson() {}

  /** How many events of a Poisson process happen where {@code mean} are expected. */
  public static long draw(double mean, RandomGenerator random) {
    if (mean <= 0) {
      return 0;
    }
    if (mean > NORMAL_FROM) {
      return Math.max(0, Math.round(mean + Math.sqrt(mean) * random.nextGaussian()));
    }
    // Knuth, The Art of Computer Programming, volume 2, 3.4.1, algorithm Q: multiply uniforms until
    // under e^-mean.
    double limit = Math.exp(-mean);
    double product = random.nextDouble();
    long events = 0;
    while (product > limit) {
      events++;
      product *= random.nextDouble();
    }
    return events;
  }
}
