package io.headgate.simulator.world;

import java.util.random.RandomGenerator;

/**
 * What a network does to a message.
 *
 * @param latencyNanos how long it takes one way
 * @param jitterNanos up to how much longer, evenly distributed
 * @param loss the chance that it is lost, 0 to 1
 * @param duplication the chance that it comes twice, 0 to 1
 * @param reordering the chance that a report is overtaken by those after it, 0 to 1
 */
public record Weather(
    long latencyNanos, long jitterNanos, double loss, double duplication, double reordering) {

  /** Twenty milliseconds each way, and nothing else. */
  public static final Weather CALM = new Weather(20_000_000, 0, 0, 0, 0);

  public Weather {
    if (latencyNanos < 0 || jitterNanos < 0) {
      throw new IllegalArgumentException(
          "latency, jitter: " + latencyNanos + ", " + jitterNanos + " ns (expected: 0 or more)");
    }
    requireChance("loss", loss);
    requireChance("duplication", duplication);
    requireChance("reordering", reordering);
  }

  long delayNanos(RandomGenerator random) {
    return jitterNanos == 0 ? latencyNanos : latencyNanos + random.nextLong(jitterNanos + 1);
  }

  private static void requireChance(String name, double chance) {
    if (!(chance >= 0 && chance <= 1)) {
      throw new IllegalArgumentException(name + ": " + chance + " (expected: 0 to 1)");
    }
  }
}
