package io.headgate.core.limit;

import java.time.Duration;

/** The ranges that all limits share. Within them no sum in this package leaves 64 bits. */
final class LimitBounds {

  /** The largest number of permits: the largest integer that is exact in Redis' Lua too. */
  static final long MAX_PERMITS = (1L << 53) - 1;

  /** The longest window or period: ten years of 365 days. */
  static final Duration MAX_TIME = Duration.ofDays(3650);

  private LimitBounds() {}

  static void permits(String property, long value) {
    range(property, value, 1, MAX_PERMITS);
  }

  static void range(String property, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          property + ": " + value + " (expected: " + least + " to " + most + ")");
    }
  }

  static void time(String property, Duration value) {
    if (value.isNegative() || value.isZero() || value.compareTo(MAX_TIME) > 0) {
      throw new IllegalArgumentException(
          property + ": " + value + " (expected: above 0, at most " + MAX_TIME.toDays() + " days)");
    }
  }
}
