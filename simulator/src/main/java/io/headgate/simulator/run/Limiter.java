package io.headgate.simulator.run;

import io.headgate.simulator.scenario.Traffic;
import io.headgate.simulator.world.Network;
import io.headgate.simulator.world.Node;
import io.headgate.simulator.world.World;
import java.util.function.DoubleSupplier;

/** A way to hold a fleet to the limit of the watched rule: what the hosts of a simulation ask. */
public interface Limiter {

  /**
   * A host's process starts, for the first time or again.
   *
   * @param host where it runs
   * @param traffic what it calls
   * @return what judges its requests from now on
   */
  Judge judge(Node host, Traffic traffic);

  /**
   * How long requests had to wait for their judgement; none where hosts judge by themselves.
   *
   * @param quantile of all requests, 0 to 1
   */
  default double addedSeconds(double quantile) {
    return 0;
  }

  /** Makes a limiter for one simulation. */
  @FunctionalInterface
  interface Factory {

    /**
     * A limiter whose parts live in a world and talk over its network, which counts what hosts
     * send.
     *
     * @param limitPerSecond the limit of the watched rule, which may change
     */
    Limiter make(World world, Network network, DoubleSupplier limitPerSecond);
  }
}
