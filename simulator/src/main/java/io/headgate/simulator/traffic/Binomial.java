package io.headgate.simulator.traffic;

import java.util.random.RandomGenerator;

/** Draws from the binomial distribution. */
public final class Binomial {

  /** Above this variance a normal distribution is close enough, and single draws too many. */
  private static final double NORMAL_FROM = 100;

  private Binomial() {}

  /** Of {@code trials} how many succeed, each with a chance of 0 to 1. */
  public static long draw(long trials, double chance, RandomGenerator random) {
    if (chance >= 1) {
      return trials;
    }
    double variance = trials * chance * (1 - chance);
    if (variance > NORMAL_FROM) {
      long drawn = Math.round(trials * chance + Math.sqrt(variance) * random.nextGaussian());
      return Math.min(trials, Math.max(0, drawn));
    }
    long succeeded = 0;
    for (long trial = 0; trial < trials; trial++) {
      succeeded += random.nextDouble() < chance ? 1 : 0;
    }
    return succeeded;
  }
}
