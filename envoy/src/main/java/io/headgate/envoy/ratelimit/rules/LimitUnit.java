package io.headgate.envoy.ratelimit.rules;

import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The length of the windows of a limit. They begin at the multiples of their length since 1970,
 * UTC: a week on Thursday, a month after 30 days, a year after 365.
 */
public enum LimitUnit {
  SECOND(1, Duration.ofSeconds(1)),
  MINUTE(2, Duration.ofMinutes(1)),
  HOUR(3, Duration.ofHours(1)),
  DAY(4, Duration.ofDays(1)),
  WEEK(7, Duration.ofDays(7)),
  MONTH(5, Duration.ofDays(30)),
  YEAR(6, Duration.ofDays(365));

  private final int number;
  private final Duration length;

  LimitUnit(int number, Duration length) {
    this.number = number;
    this.length = length;
  }

  /** Its number in the messages of Envoy. */
  public int number() {
    return number;
  }

  /** How long a window is. */
  public Duration length() {
    return length;
  }

  /** As rule files write it, in lower case. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The unit of a number in a message, or null if there is none. */
  public static @Nullable LimitUnit ofNumber(int number) {
    for (LimitUnit unit : values()) {
      if (unit.number == number) {
        return unit;
      }
    }
    return null;
  }
}
