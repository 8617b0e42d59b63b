package io.headgate.core.shed;

/**
 * How much of a bucket's traffic passes: all of the levels below {@code level}, none of those
 * above, and at the level itself the share {@code accept / 2^32}.
 *
 * <p>The threshold is an unsigned 32-bit number because an overload of a thousand times the limit
 * needs drop ratios far finer than a percent.
 *
 * <p>Where a rule has a surge guard, one that drops nothing can tell which part of the limit is in
 * use: see {@link #inUse(double)}.
 *
 * @param level from 0 to 11 as in {@link Level}, or {@link #NO_LEVEL} or {@link #IN_USE_LEVEL} when
 *     everything passes
 * @param accept the accept threshold, unsigned: a request passes if an unsigned 32-bit draw is
 *     below it
 */
public record Directive(int level, int accept) {

  /** The level of {@link #NONE}: greater than every level. */
  public static final int NO_LEVEL = 255;

  /** Everything passes. */
  public static final Directive NONE = new Directive(NO_LEVEL, -1);

  /** The level of a directive that tells {@link #inUse}: greater than every level of requests. */
  public static final int IN_USE_LEVEL = 254;

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

  /**
   * Everything passes, and this part of the limit is in use, from 0 to 1. Those who judge can tell
   * from it how far their own part of the demand may rise before the limit is reached.
   */
  public static Directive inUse(double share) {
    return new Directive(IN_USE_LEVEL, accept(share));
  }

  /** Whether it tells which part of the limit is in use; {@link #acceptRatio()} is that part. */
  public boolean isInUse() {
    return level == IN_USE_LEVEL;
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

  /** Whether everything passes, and nothing else is told. */
  public boolean isNone() {
    return level == NO_LEVEL;
  }
}
