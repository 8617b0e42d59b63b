package io.headgate.core.rule;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A limit on requests in time, such as {@code 5000/s} or {@code 300/min}.
 *
 * @param perSecond requests per second; finite, 0 (nothing passes) or more, at most 10<sup>12</sup>
 */
public record Rate(double perSecond) {

  private static final double MAX_PER_SECOND = 1e12;
  private static final Pattern FORM =
      Pattern.compile("(-?\\d+(?:\\.\\d+)?)([kM]?)(?:\\s*/\\s*([A-Za-z]+))?");
  private static final Map<String, Integer> SECONDS_OF_UNIT =
      Map.of(
          "s", 1, "sec", 1, "second", 1, "m", 60, "min", 60, "minute", 60, "h", 3600, "hour", 3600);

  /**
   * @throws IllegalArgumentException if the rate is out of range
   */
  public Rate {
    if (!(perSecond >= 0 && perSecond <= MAX_PER_SECOND)) {
      throw new IllegalArgumentException("rate: " + perSecond + " (expected: 0 to 1e12 a second)");
    }
    perSecond += 0.0; // a negative zero becomes zero, so that equal rates are equal
  }

  /** A rate per second. */
  public static Rate perSecond(double perSecond) {
    return new Rate(perSecond);
  }

  /**
   * A rate from its written form: a number, optionally with {@code k} (thousand) or {@code M}
   * (million), a slash and a unit: {@code s}, {@code min} or {@code h}.
   *
   * @throws IllegalArgumentException if the text has another form or the rate is out of range; the
   *     message says which and what was expected
   */
  public static Rate parse(String text) {
    Matcher matcher = FORM.matcher(text.strip());
    if (!matcher.matches()) {
      throw wrong(text, "is no rate", "a rate such as 5000/s, 1.5k/s or 300/min");
    }
    String unit = matcher.group(3);
    if (unit == null) {
      throw wrong(text, "has no unit", "a rate such as " + text.strip() + "/s");
    }
    Integer seconds = SECONDS_OF_UNIT.get(unit);
    if (seconds == null) {
      throw wrong(text, "has the unknown unit '" + unit + "'", "s, min or h");
    }
    double factor =
        switch (matcher.group(2)) {
          case "k" -> 1e3;
          case "M" -> 1e6;
          default -> 1;
        };
    double perSecond = Double.parseDouble(matcher.group(1)) * factor / seconds;
    if (perSecond < 0) {
      throw wrong(text, "is negative", "0/s or more");
    }
    if (perSecond > MAX_PER_SECOND) {
      throw wrong(text, "is too large", "at most 1000000M/s");
    }
    return new Rate(perSecond);
  }

  private static IllegalArgumentException wrong(String text, String what, String expected) {
    return new IllegalArgumentException("'" + text + "' " + what + " (expected: " + expected + ")");
  }

  /**
   * The written form, exact: {@link #parse} gives the same rate again. It is a whole number per
   * second, minute or hour where there is one, else a decimal per second.
   */
  @Override
  public String toString() {
    return whole("s", 1)
        .or(() -> whole("min", 60))
        .or(() -> whole("h", 3600))
        .orElseGet(() -> decimal(perSecond) + "/s");
  }

  private Optional<String> whole(String unit, int seconds) {
    double number = Math.rint(perSecond * seconds);
    return number / seconds == perSecond
        ? Optional.of(decimal(number) + "/" + unit)
        : Optional.empty();
  }

  private static String decimal(double number) {
    return new BigDecimal(Double.toString(number)).stripTrailingZeros().toPlainString();
  }
}
