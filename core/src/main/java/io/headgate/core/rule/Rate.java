package io.headgate.core.rule;

import java.math.BigDecimal;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A limit on requests in time, such as {@code 5000/s} or {@code 300/min}.
 *
 * @param perSecond requests per second; finite, 0 (nothing passes) or more, at most 10<sup>12</sup>
 */
public record Rate(double perSecond) {

  private static final double MAX_PER_SECOND = 1e12;
  private static final Pattern FORM = Pattern.compile("(\\d+(?:\\.\\d+)?)([kM]?)\\s*/\\s*([a-z]+)");
  private static final Map<String, Integer> SECONDS_OF_UNIT =
      Map.of(
          "s", 1, "sec", 1, "second", 1, "m", 60, "min", 60, "minute", 60, "h", 3600, "hour", 3600);

  public Rate {
    if (!(perSecond >= 0 && perSecond <= MAX_PER_SECOND)) {
      throw new IllegalArgumentException("rate: " + perSecond + " (expected: 0 to 1e12 a second)");
    }
  }

  /** A rate per second. */
  public static Rate perSecond(double perSecond) {
    return new Rate(perSecond);
  }

  /**
   * A rate from its written form: a number, optionally with {@code k} (thousand) or {@code M}
   * (million), a slash and a unit: {@code s}, {@code min} or {@code h}.
   *
   * @throws IllegalArgumentException if the text has another form or the rate is out of range
   */
  public static Rate parse(String text) {
    Matcher matcher = FORM.matcher(text.strip());
    Integer seconds = matcher.matches() ? SECONDS_OF_UNIT.get(matcher.group(3)) : null;
    if (seconds == null) {
      throw new IllegalArgumentException(
          "rate: '"
              + text
              + "' (expected: a number, '/' and s, min or h, such as 5000/s, 1.5k/s or 300/min)");
    }
    double number = Double.parseDouble(matcher.group(1));
    double factor =
        switch (matcher.group(2)) {
          case "k" -> 1e3;
          case "M" -> 1e6;
          default -> 1;
        };
    return new Rate(number * factor / seconds);
  }

  /** The written form, in the largest unit that gives a whole number where there is one. */
  @Override
  public String toString() {
    for (var unit : new Object[][] {{"s", 1}, {"min", 60}, {"h", 3600}}) {
      double number = perSecond * (Integer) unit[1];
      double rounded = Math.rint(number);
      if (Math.abs(number - rounded) <= 1e-9 * Math.max(1, rounded)) {
        return new BigDecimal(rounded).toBigInteger() + "/" + unit[0];
      }
    }
    return new BigDecimal(String.valueOf(perSecond)).toPlainString() + "/s";
  }
}
