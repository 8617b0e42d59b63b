package io.headgate.simulator.traffic;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Draws from one Poisson distribution, many times: by inversion, with a table of its cumulative
 * probabilities in units of 2<sup>-32</sup> and a guide to where in it to begin (Chen and Asau, "On
 * Generating Random Variates from an Empirical Distribution", 1974). What is less likely than that
 * unit is never drawn.
 */
public final class PoissonTable {

  /** A table for a greater mean is too long; {@link Poisson} has another way there. */
  private static final double MOST_MEAN = 100;

  private static final double TWO_32 = 4294967296.0;
  private static final int GUIDE_BITS = 7;

  /** Below this mean nearly all draws are one of the first few entries. */
  private static final double GUIDE_FROM_MEAN = 2;

  private final double mean;

  /** Draws below the n-th entry, and not below the one before it, are n events. */
  private final long[] below;

  private final short[] guide;
  private final int guideShift;

  /** A table for a mean of 0 or more. */
  public PoissonTable(double mean) {
    this.mean = mean;
    below = mean > MOST_MEAN ? new long[0] : cumulative(mean);
    int bits = mean < GUIDE_FROM_MEAN ? 0 : GUIDE_BITS;
    guideShift = Integer.SIZE - bits;
    guide = below.length == 0 ? new short[0] : guide(below, 1 << bits, guideShift);
  }

  private static long[] cumulative(double mean) {
    long[] below = new long[(int) Math.ceil(mean + 12 * Math.sqrt(mean) + 16)];
    double probability = Math.exp(-mean);
    double sum = 0;
    int events = 0;
    while (events < below.length - 1 && Math.round(sum * TWO_32) < (long) TWO_32 - 1) {
      sum += probability;
      below[events++] = Math.round(Math.min(1, sum) * TWO_32);
      probability *= mean / events;
    }
    below[events] = (long) TWO_32;
    return Arrays.copyOf(below, events + 1);
  }

  private static short[] guide(long[] below, int entries, int shift) {
    short[] guide = new short[entries];
    int events = 0;
    for (int entry = 0; entry < guide.length; entry++) {
      while (below[events] <= (long) entry << shift) {
        events++;
      }
      guide[entry] = (short) events;
    }
    return guide;
  }

  /** How many events happen. */
  public int draw(RandomGenerator random) {
    return below.length == 0
        ? (int) Math.min(Integer.MAX_VALUE, Poisson.draw(mean, random))
        : events(random.nextLong() >>> Integer.SIZE);
  }

  /**
   * The number of events that a draw stands for.
   *
   * @param draw from 0 to 2<sup>32</sup> - 1
   */
  private int events(long draw) {
    int events = guide[(int) (draw >>> guideShift)];
    while (draw >= below[events]) {
      events++;
    }
    return events;
  }
}
