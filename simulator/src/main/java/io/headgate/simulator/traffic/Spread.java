package io.headgate.simulator.traffic;

import java.util.random.RandomGenerator;

/** How a rate is divided among hosts. */
public enum Spread {
  /** Every host the same. */
  EQUAL,
  /** Log-normal with sigma 1: the busiest of a few hundred hosts has some ten times the mean. */
  UNEQUAL,
  /** The first host one half, the others the rest evenly. */
  ONE_BUSY;

  /** The hosts' shares, which sum to 1. */
  public double[] shares(int hosts, RandomGenerator random) {
    double[] shares = new double[hosts];
    double sum = 0;
    for (int host = 0; host < hosts; host++) {
      shares[host] =
          switch (this) {
            case EQUAL -> 1;
            case UNEQUAL -> Math.exp(random.nextGaussian());
            case ONE_BUSY -> host == 0 ? Math.max(1, hosts - 1) : 1;
          };
      sum += shares[host];
    }
    for (int host = 0; host < hosts; host++) {
      shares[host] /= sum;
    }
    return shares;
  }
}
