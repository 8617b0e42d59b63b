package io.headgate.server.demo.load;

/** Decides which calls are due. Used by one thread. */
public interface Arrivals {

  /**
   * Makes all calls that have become due since the time before.
   *
   * @param elapsedSeconds since the load began; never less than the time before
   */
  void advanceTo(double elapsedSeconds);
}
