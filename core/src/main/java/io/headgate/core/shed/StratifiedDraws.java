package io.headgate.core.shed;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes random draws even: held against a threshold they pass its share of requests to within one
 * or two of any number of successive ones, where independent draws are off by the square root of
 * that number.
 *
 * <p>Unlike a rule such as "drop every third" they do not lock on to a caller whose requests come
 * in step with others, and they hardly bear on the retry that follows a drop.
 *
 * <p>Safe for use by many threads and lock-free, at the cost of a counter that they share: meant
 * for traffic of up to some thousand requests a second.
 */
public final class StratifiedDraws {

  /*
   * Of each 64 successive draws every sixty-fourth part of the range gets exactly one, at three
   * levels:
   *
   * - Draws alternate between two lanes, and in each lane every 8 in a row fall one into each
   *   eighth, in an order that is random for each 8.
   * - All of these 8 lie in the same eighth of their eighths. Which one it is follows the
   *   sequence of van der Corput, whose every beginning is even, with its bits flipped at random
   *   for each 64.
   * - All of the 64 lie at the same place in their parts. From 64 to 64 it moves on by the golden
   *   ratio, so that what rounding adds to the share of one 64 the next ones take back.
   *
   * How even draws can be is bounded by what they may betray. If the draw after a drop is like any
   * other, the deviation of the number of passes in a long run is at least sqrt(2 p (1 - p)),
   * that of two independent draws, unless draws repeat themselves; and each further draw that
   * tells nothing adds as much as one. The lanes keep the very next draw free, and the drop's own
   * lane gives the draws after that an advantage of a tenth at most.
   */
  private static final int LANE_BITS = 1;
  private static final int EIGHTH_BITS = 3;
  private static final int STRATA_BITS = 2 * EIGHTH_BITS;
  private static final int EIGHTH = (1 << EIGHTH_BITS) - 1;
  private static final int LAST = (1 << STRATA_BITS) - 1;
  private static final int ROUNDS = 4;
  private static final int ROUND_BITS = 8;
  private static final int REST_BITS = 63 - STRATA_BITS;

  /** 2<sup>64</sup> over the golden ratio: the steps of the most even sequence of its kind. */
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private final AtomicLong drawn = new AtomicLong();

  /** Taken from the first bits that come, so that hosts do not draw in step; 0 before that. */
  private final AtomicLong seed = new AtomicLong();

  /** Draws whose order follows from the first random bits that they are made of. */
  public StratifiedDraws() {}

  /**
   * The next draw.
   *
   * @param random 64 random bits
   * @return from 0 to 2<sup>63</sup> - 1, uniform
   */
  public long next(long random) {
    long seed = seed(random);
    long number = drawn.getAndIncrement();
    long block = number >>> STRATA_BITS;
    int place = (int) number & LAST;
    int lane = place & ((1 << LANE_BITS) - 1);
    int slot = place >>> LANE_BITS & EIGHTH;
    int turn = place >>> (LANE_BITS + EIGHTH_BITS) << LANE_BITS | lane;
    long order = mix(seed ^ block * GOLDEN);
    int eighth = shuffle(slot, mix(order + turn));
    int part = (Integer.reverse(turn) >>> (Integer.SIZE - EIGHTH_BITS)) ^ (int) order & EIGHTH;
    long rest = (block * GOLDEN + seed) >>> (Long.SIZE - REST_BITS);
    return (long) (eighth << EIGHTH_BITS | part) << REST_BITS | rest;
  }

  private long seed(long random) {
    long known = seed.get();
    if (known != 0) {
      return known;
    }
    long first = mix(random) | 1;
    return seed.compareAndSet(0, first) ? first : seed.get();
  }

  /** A permutation of eight, drawn by the bits of {@code order}. */
  private static int shuffle(int slot, long order) {
    int place = slot;
    for (int round = 0; round < ROUNDS; round++) {
      int key = (int) (order >>> (ROUND_BITS * round));
      // An odd factor, a sum and a folded part can each be undone, so no two places become one.
      place = (place * (key | 1) + (key >>> EIGHTH_BITS)) & EIGHTH;
      place ^= place >>> 1;
    }
    return place;
  }

  /**
   * The finalizer of MurmurHash3 by Austin Appleby, with the constants of Stafford's variant 13.
   */
  private static long mix(long bits) {
    long z = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
