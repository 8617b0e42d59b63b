package io.headgate.simulator.baseline;

import io.headgate.simulator.run.Judge;
import io.headgate.simulator.run.Limiter;
import io.headgate.simulator.scenario.Traffic;
import io.headgate.simulator.world.Network;
import io.headgate.simulator.world.Node;
import io.headgate.simulator.world.World;
import java.util.function.DoubleSupplier;

/**
 * One counter for all, asked before each request, that admits up to the limit in each second. It is
 * never slow or overloaded itself: what a request waits for is the network alone.
 *
 * <p>Who asks and hears nothing in time lets the request go on.
 */
final class CentralCounter implements Limiter {

  private static final long TIMEOUT_NANOS = 100_000_000;
  private static final long STEP_NANOS = 100_000;

  private final Network network;
  private final DoubleSupplier limitPerSecond;
  private final Node counter;
  private final World world;
  private final WindowCount count = new WindowCount();

  /** How many requests waited for how many steps. */
  private final long[] waits = new long[(int) (TIMEOUT_NANOS / STEP_NANOS) + 1];

  private long requests;

  CentralCounter(World world, Network network, DoubleSupplier limitPerSecond) {
    this.world = world;
    this.network = network;
    this.limitPerSecond = limitPerSecond;
    this.counter = new Node(world, "counter", "centre", 0);
  }

  @Override
  public Judge judge(Node host, Traffic traffic) {
    return (criticality, retry) -> ask(host);
  }

  /**
   * Asks at once what the counter will decide when the question arrives. That admits as many
   * requests of each window as one event for each question would; only which of them does not
   * follow the order of their arrival, where jitter changes that.
   */
  private boolean ask(Node host) {
    long there = network.post(host, counter, 0);
    if (there == Network.LOST) {
      return afterWaiting(TIMEOUT_NANOS, true);
    }
    long window = WindowCount.window(world.nowNanos() + there);
    boolean admitted = count.add(window, 1) <= limitPerSecond.getAsDouble();
    long back = network.post(counter, host, -1);
    if (back == Network.LOST || there + back > TIMEOUT_NANOS) {
      return afterWaiting(TIMEOUT_NANOS, true);
    }
    return afterWaiting(there + back, admitted);
  }

  private boolean afterWaiting(long nanos, boolean admitted) {
    waits[(int) (nanos / STEP_NANOS)]++;
    requests++;
    return admitted;
  }

  @Override
  public double addedSeconds(double quantile) {
    long below = 0;
    int step = 0;
    while (step < waits.length - 1 && below + waits[step] < quantile * requests) {
      below += waits[step];
      step++;
    }
    return step * STEP_NANOS / 1e9;
  }
}
