package io.headgate.simulator.baseline;

/** A proxy's tokens: those of the last few refills that were not used, the oldest used first. */
final class TokenRing {

  private final double[] tokens;
  private int newest;

  /**
   * An empty ring.
   *
   * @param refills for how many refills, its own included, a token is kept
   */
  TokenRing(int refills) {
    tokens = new double[refills];
  }

  /** Adds a refill in the place of the oldest, of which what was not used is lost. */
  void refill(double added) {
    newest = (newest + 1) % tokens.length;
    tokens[newest] = added;
  }

  /** Takes one token, of parts if need be, and tells whether there was one. */
  boolean take() {
    if (available() < 1) {
      return false;
    }
    double missing = 1;
    for (int age = tokens.length - 1; age >= 0 && missing > 0; age--) {
      int slot = Math.floorMod(newest - age, tokens.length);
      double taken = Math.min(missing, tokens[slot]);
      tokens[slot] -= taken;
      missing -= taken;
    }
    return true;
  }

  double available() {
    double sum = 0;
    for (double each : tokens) {
      sum += each;
    }
    return sum;
  }
}
