package io.headgate.core.shed;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes random draws even: of each 64 successive ones every sixty-fourth part of their range gets
 * exactly one, in an order that is random for each 64. Held against a threshold they pass its share
 * of requests to within one or two of each 64, where independent draws are off by the square root
 * of their number.
 *
 * <p>Unlike a rule such as "drop every third" they do not lock on to a caller whose requests come
 * in step with others, nor do they bear on the retry that follows a drop: the order within each 64
 * is a permutation anew.
 *
 * <p>Safe for use by many threads and lock-free, at the cost of a counter that they share: meant
 * for traffic of up to some thousand requests a second.
 */
public final class StratifiedDraws {

  private static final int STRATA_BITS = 6;
  private static final long LAST = (1 << STRATA_BITS) - 1;
  private static final int ROUNDS = 3;
  private static final int DRAW_BITS = 63;
  private static final int REST_BITS = DRAW_BITS - STRATA_BITS;

  private final AtomicLong drawn = new AtomicLong();
  private final long seed;

  /** Draws whose order follows from {@code seed}. */
  public StratifiedDraws(long seed) {
    this.seed = seed;
  }

  /**
   * The next draw.
   *
   * @param random 64 random bits
   * @return from 0 to 2<sup>63</sup> - 1, uniform
   */
  public long next(long random) {
    long number = drawn.getAndIncrement();
    long order = mix(seed ^ (number >>> STRATA_BITS));
    long stratum = place(number, order);
    return stratum << REST_BITS | random >>> (Long.SIZE - REST_BITS);
  }

  /** A permutation of the places in a block, one of many thousand by the bits of {@code order}. */
  private static long place(long number, long order) {
    long place = (number + order) & LAST;
    for (int round = 1; round <= ROUNDS; round++) {
      long key = order >>> (2 * STRATA_BITS * round);
      // An odd factor, a sum and a folded half can each be undone, so no two places become one.
      place = (place * (key | 1) + (key >>> STRATA_BITS)) & LAST;
      place ^= place >>> (STRATA_BITS / 2);
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
