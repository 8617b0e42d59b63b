package io.headgate.core.hits;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;

/** Periods that begin and end by the calendar of a time zone. A week begins on Monday. */
public enum CalendarUnit {
  MINUTE,
  HOUR,
  DAY,
  WEEK,
  MONTH,
  YEAR;

  private static final CalendarUnit[] BY_CODE = values();

  /** A period, from its first millisecond to the first of the next. */
  record Period(long start, long next) {

    long length() {
      return next - start;
    }

    /** Its last millisecond. */
    long end() {
      return next - 1;
    }
  }

  /**
   * The unit with a code: 0 for minutes, then hours, days, weeks, months and years.
   *
   * @throws InvalidRequestException if there is none
   */
  static CalendarUnit of(long code) {
    if (code < 0 || code >= BY_CODE.length) {
      throw new InvalidRequestException(
          "behavior DURATION_IS_GREGORIAN is set; but `Duration` is not a valid gregorian interval");
    }
    return BY_CODE[(int) code];
  }

  /** The period that a time is in. */
  Period at(long epochMillis, ZoneId zone) {
    ZonedDateTime time = Instant.ofEpochMilli(epochMillis).atZone(zone);
    return switch (this) {
      case MINUTE -> whole(time, ChronoUnit.MINUTES);
      case HOUR -> whole(time, ChronoUnit.HOURS);
      case DAY -> days(time.toLocalDate(), ChronoUnit.DAYS, zone);
      case WEEK ->
          days(
              time.toLocalDate().with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY)),
              ChronoUnit.WEEKS,
              zone);
      case MONTH -> days(time.toLocalDate().withDayOfMonth(1), ChronoUnit.MONTHS, zone);
      case YEAR -> days(time.toLocalDate().withDayOfYear(1), ChronoUnit.YEARS, zone);
    };
  }

  private static Period whole(ZonedDateTime time, ChronoUnit unit) {
    ZonedDateTime start = time.truncatedTo(unit);
    return new Period(millis(start), millis(start.plus(1, unit)));
  }

  /** Days may have 23 or 25 hours, so they are counted by date. */
  private static Period days(LocalDate first, ChronoUnit unit, ZoneId zone) {
    return new Period(
        millis(first.atStartOfDay(zone)), millis(first.plus(1, unit).atStartOfDay(zone)));
  }

  private static long millis(ZonedDateTime time) {
    return time.toInstant().toEpochMilli();
  }
}
