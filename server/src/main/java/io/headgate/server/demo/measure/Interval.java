package io.headgate.server.demo.measure;

import java.util.Map;
import java.util.function.Predicate;

/**
 * What the rules counted from one moment to another.
 *
 * @param seconds how long that was, above 0
 * @param counts the counts, by rule and by where the calls came from
 */
public record Interval(double seconds, Map<RuleName, Map<Origin, Counts>> counts) {

  /** The calls of some origins that a rule judged. */
  public Counts counts(RuleName name, Predicate<Origin> origins) {
    Counts sum = Counts.NONE;
    for (Map.Entry<Origin, Counts> entry : byOrigin(name).entrySet()) {
      if (origins.test(entry.getKey())) {
        sum = sum.plus(entry.getValue());
      }
    }
    return sum;
  }

  /** The calls that a rule judged, by where they came from. */
  public Map<Origin, Counts> byOrigin(RuleName name) {
    return counts.getOrDefault(name, Map.of());
  }

  /** A number of calls as a rate. */
  public double perSecond(long calls) {
    return calls / seconds;
  }
}
