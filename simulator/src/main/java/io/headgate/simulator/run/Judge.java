package io.headgate.simulator.run;

/** Decides on one host's requests of one procedure. */
@FunctionalInterface
public interface Judge {

  /**
   * Judges a request that is made now, and counts it.
   *
   * @param criticality from 0 to 5; -1 where the request carries none
   * @param retry whether it says that it is not the first attempt
   * @return whether it may go on
   */
  boolean admits(int criticality, boolean retry);
}
