package io.headgate.core.limit;

/**
 * What a live key keeps of its permits when its limit changes. With 2 permits left of 5 and a new
 * limit of 10, it has 4, 2, 7 or 10 afterwards.
 */
public enum Inheritance {
  /** The same share of the limit, rounded down. */
  PROPORTIONAL {
    @Override
    long remaining(long before, long oldLimit, long newLimit) {
      return WideMath.multiplyAddDivide(before, newLimit, 0, oldLimit);
    }
  },

  /** The same number, at most the new limit. */
  AS_IS {
    @Override
    long remaining(long before, long oldLimit, long newLimit) {
      return Math.min(before, newLimit);
    }
  },

  /** The same number and what the limit grew by, at most the new limit. */
  ADDITIVE {
    @Override
    long remaining(long before, long oldLimit, long newLimit) {
      return Math.min(before + Math.max(0, newLimit - oldLimit), newLimit);
    }
  },

  /** All of the new limit. */
  RESET {
    @Override
    long remaining(long before, long oldLimit, long newLimit) {
      return newLimit;
    }
  };

  /** The permits left under the new limit. */
  abstract long remaining(long before, long oldLimit, long newLimit);
}
