package io.headgate.server.demo.load;

/** How a load changes in time, as a factor of its usual rate. */
@FunctionalInterface
public interface LoadProfile {

  /**
   * The factor at a time.
   *
   * @param elapsedSeconds since the load began; 0 or more
   * @return 0 or more
   */
  double factor(double elapsedSeconds);
}
