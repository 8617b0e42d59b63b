package io.headgate.core.shed;

/**
 * How much of a bucket's traffic passes: all of the levels below {@code level}, none of those
 * above, and at the level itself the share {@code accept / 2^32}.
 *
 * <p>The threshold is an unsigned 32-bit number because an overload of a thousand times the limit
 * needs drop ratios far finer than a percent.
 *
 * @param level from 0 to 11 as in {@link Level}, or {@link #NO_LEVEL} when everything passes
 * @param accept the accept threshold, unsigned: a request passes if an unsigned 32-bit draw is
 *     below it
 */
public record Directive(int level, int accept) {

  /** The level of {@link #NONE}: greater than every level. */
  public static final int NO_LEVEL = 255;

  /** Everything passes. */
  public static final Directive NONE = new Directive(NO_LEVEL, -1);

  private static final double TWO_32 = 4294967296.0;

  /**
   * The threshold that passes the share {@code ratio} of requests; ratios beyond 0 and 1 count as
   * these. What is not a number passes everything, because a fault must not stop traffic.
   */
  public static int accept(double ratio) {
    if (ratio <= 0) {
      return 0;
    }
    return ratio < 1 ? (int) (long) Math.min(TWO_32 - 1, Math.rint(ratio * TWO_32)) : -1;
  }

  /** The share of requests at {@link #level} that pass, from 0 to 1. */
  public double acceptRatio() {
    return Integer.toUnsignedLong(accept) / TWO_32;
  }

  /** The share of requests at {@code level} that pass, from 0 to 1. */
  public double acceptRatio(int level) {
    if (level == this.level) {
      return acceptRatio();
    }
    return level < this.level ? 1 : 0;
  }

  /**
   * Both numbers in one, to be read and written at once: the level above, the threshold in the
   * lower 32 bits.
   */
  public long toBits() {
    return ((long) level << 32) | Integer.toUnsignedLong(accept);
  }

  /** The directive of {@link #toBits()}. */
  public static Directive fromBits(long bits) {
    return new Directive((int) (bits >>> 32), (int) bits);
  }

  /** Whether everything passes. */
  public boolean isNone() {
    return level == NO_LEVEL;
  }
}
