package io.headgate.core.hits;

/** Bits that change how a request is treated; they may be combined. */
public final class Behavior {

  /** Forward to the owner at once, alone. */
  public static final int NO_BATCHING = 1;

  /** Answer where the request arrives, and tell the owner afterwards. */
  public static final int GLOBAL = 1 << 1;

  /** The duration is a {@link CalendarUnit}'s code, not a number of milliseconds. */
  public static final int DURATION_IS_GREGORIAN = 1 << 2;

  /** Give everything back first. */
  public static final int RESET_REMAINING = 1 << 3;

  /** Tell the owners of other regions of the hits. */
  public static final int MULTI_REGION = 1 << 4;

  /** Let a request for more than is left take what is left. */
  public static final int DRAIN_OVER_LIMIT = 1 << 5;

  private Behavior() {}

  /** Whether a bit is set. */
  public static boolean has(int behavior, int bit) {
    return (behavior & bit) != 0;
  }
}
