package io.headgate.server.demo.load;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.regex.Pattern;

/** The forms in which traces write a time. */
final class Timestamp {

  private static final Pattern NUMBER = Pattern.compile("\\d{1,18}(\\.\\d{1,18})?");
  private static final Pattern OFFSET = Pattern.compile(".*(Z|[+-]\\d\\d:\\d\\d)");

  /** As a count of seconds this is in the year 5138; as one of milliseconds it is in 1973. */
  private static final BigDecimal MILLIS_FROM = BigDecimal.valueOf(100_000_000_000L);

  private static final BigDecimal NANOS_PER_SECOND = BigDecimal.valueOf(1_000_000_000L);
  private static final BigDecimal NANOS_PER_MILLI = BigDecimal.valueOf(1_000_000L);

  private Timestamp() {}

  /**
   * The nanoseconds since 1970 of an ISO 8601 date and time, with {@code T} or a space between the
   * two, with or without an offset (without one: UTC), or of a number of seconds or milliseconds.
   *
   * @throws IllegalArgumentException if it is none of these
   */
  static long nanos(String text) {
    try {
      return NUMBER.matcher(text).matches() ? ofNumber(new BigDecimal(text)) : ofDate(text);
    } catch (DateTimeException | ArithmeticException e) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' (expected: a time such as 2023-11-16 18:17:03.97996, or seconds or milliseconds"
              + " since 1970)",
          e);
    }
  }

  private static long ofNumber(BigDecimal number) {
    BigDecimal unit = number.compareTo(MILLIS_FROM) >= 0 ? NANOS_PER_MILLI : NANOS_PER_SECOND;
    return number.multiply(unit).setScale(0, RoundingMode.HALF_EVEN).longValueExact();
  }

  private static long ofDate(String text) {
    String iso = text.replace(' ', 'T');
    Instant time =
        OFFSET.matcher(iso).matches()
            ? OffsetDateTime.parse(iso).toInstant()
            : LocalDateTime.parse(iso).toInstant(ZoneOffset.UTC);
    return Math.addExact(Math.multiplyExact(time.getEpochSecond(), 1_000_000_000L), time.getNano());
  }
}
