package io.headgate.server.keyed;

import io.headgate.server.terminal.UserError;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Variables of the environment, with their types. It remembers which were asked for, so that people
 * can be told of those that nobody knows. A variable that is set to nothing is not set.
 */
public final class Variables {

  private static final String DURATION = "a duration such as 500ms, 1.5s or 2m";
  private static final Pattern DURATION_PART =
      Pattern.compile("(\\d+(?:\\.\\d*)?|\\.\\d+)(ns|us|µs|μs|ms|s|m|h)");
  private static final Map<String, Long> NANOS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "µs", 1_000L,
          "μs", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L);

  private final Map<String, String> values;
  private final Set<String> read = new TreeSet<>();

  public Variables(Map<String, String> values) {
    this.values = Map.copyOf(values);
  }

  /** Whether it is set. */
  public boolean has(String name) {
    return !text(name).isEmpty();
  }

  /** Whether any is set whose name begins like that. */
  public boolean hasAny(String prefix) {
    return values.entrySet().stream()
        .anyMatch(entry -> entry.getKey().startsWith(prefix) && !entry.getValue().isBlank());
  }

  /** Its value without space around it; empty if it is not set. */
  public String text(String name) {
    read.add(name);
    return values.getOrDefault(name, "").strip();
  }

  /** Its value. */
  public String text(String name, String defaultValue) {
    String text = text(name);
    return text.isEmpty() ? defaultValue : text;
  }

  /**
   * Its value, without which nothing can be done.
   *
   * @param why when it is needed, such as {@code with GUBER_PEER_DISCOVERY_TYPE=k8s}
   * @throws UserError if it is not set
   */
  public String required(String name, String why, String expected) {
    String text = text(name);
    if (text.isEmpty()) {
      throw UserError.usage(name + ": not set (expected " + why + ": " + expected + ")");
    }
    return text;
  }

  /** What commas part, without space around it; none if it is not set. */
  public List<String> list(String name) {
    return Arrays.stream(text(name).split(",", -1))
        .map(String::strip)
        .filter(part -> !part.isEmpty())
        .toList();
  }

  /**
   * Yes or no, in the spellings that Go knows.
   *
   * @throws UserError if it is something else
   */
  public boolean flag(String name, boolean defaultValue) {
    return switch (text(name)) {
      case "" -> defaultValue;
      case "1", "t", "T", "true", "True", "TRUE" -> true;
      case "0", "f", "F", "false", "False", "FALSE" -> false;
      default -> throw invalid(name, "true or false");
    };
  }

  /**
   * A length of time as Go writes it: {@code 500ms}, {@code 1m30s}.
   *
   * @throws UserError if it is something else, or not positive
   */
  public Duration duration(String name, Duration defaultValue) {
    String text = text(name);
    if (text.isEmpty()) {
      return defaultValue;
    }
    BigDecimal nanos = BigDecimal.ZERO;
    Matcher part = DURATION_PART.matcher(text);
    int end = 0;
    while (part.find() && part.start() == end) {
      BigDecimal unit = BigDecimal.valueOf(NANOS.getOrDefault(part.group(2), 0L));
      nanos = nanos.add(new BigDecimal(part.group(1)).multiply(unit));
      end = part.end();
    }
    if (end < text.length()
        || nanos.compareTo(BigDecimal.ONE) < 0
        || nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      throw invalid(name, DURATION);
    }
    return Duration.ofNanos(nanos.longValue());
  }

  /**
   * A whole number.
   *
   * @throws UserError if it is something else, or not within the bounds
   */
  public int integer(String name, int defaultValue, int min, int max) {
    String text = text(name);
    if (text.isEmpty()) {
      return defaultValue;
    }
    try {
      int value = Integer.parseInt(text);
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException e) {
      // told below
    }
    throw invalid(name, "a whole number from " + min + " to " + max);
  }

  /** Says what is set and what was expected. */
  public UserError invalid(String name, String expected) {
    return UserError.usage(name + ": '" + text(name) + "' (expected: " + expected + ")");
  }

  /** The names that were asked for so far, set or not. */
  public Set<String> read() {
    return Set.copyOf(read);
  }

  /** The names that are set. */
  public Set<String> set() {
    Set<String> names = new TreeSet<>(values.keySet());
    names.removeIf(name -> values.getOrDefault(name, "").isBlank());
    return names;
  }
}
