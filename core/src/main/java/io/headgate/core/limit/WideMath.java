package io.headgate.core.limit;

/** Products of 64-bit numbers in 128 bits, so that neither overflow nor rounding can occur. */
public final class WideMath {

  private WideMath() {}

  /**
   * The whole part of {@code (a * b + c) / d}, or {@link Long#MAX_VALUE} if it is larger than that.
   * Allocates nothing.
   *
   * @param a 0 or more
   * @param b 0 or more
   * @param c 0 or more
   * @param d 1 or more
   */
  public static long multiplyAddDivide(long a, long b, long c, long d) {
    long high = Math.multiplyHigh(a, b);
    long product = a * b;
    long low = product + c;
    if (Long.compareUnsigned(low, product) < 0) {
      high++;
    }
    if (high == 0 && low >= 0) {
      return low / d;
    }
    if (high >= d) {
      return Long.MAX_VALUE;
    }
    return divide(high, low, d);
  }

  /** Like {@link #multiplyAddDivide} with {@code c} 0, rounded up. */
  public static long multiplyDivideUp(long a, long b, long d) {
    return multiplyAddDivide(a, b, d - 1, d);
  }

  /** The sum of two numbers, the second 0 or more, held at the largest number there is. */
  public static long saturatedAdd(long a, long b) {
    long sum = a + b;
    return sum < a ? Long.MAX_VALUE : sum;
  }

  /** Long division by hand: a bit of the quotient a round. */
  private static long divide(long high, long low, long divisor) {
    long rest = high;
    long quotient = 0;
    for (int bit = Long.SIZE - 1; bit >= 0; bit--) {
      rest = rest << 1 | low >>> bit & 1; // the rest is below the divisor, so no bit is lost
      quotient <<= 1;
      if (Long.compareUnsigned(rest, divisor) >= 0) {
        rest -= divisor;
        quotient |= 1;
      }
    }
    return quotient < 0 ? Long.MAX_VALUE : quotient;
  }
}
