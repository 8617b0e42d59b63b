package io.headgate.simulator.campaign;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Once settled and connected, no more passes over five seconds than the limit and what chance
 * explains; and no more in a single second than that and what passes while a false alarm lasts.
 */
final class NotAboveLimit implements Invariant {

  /** The share of the limit by which the estimate of demand may be off for a while. */
  static final double SHARE = 0.05;

  /** Over so many seconds a false alarm does not show, and anything that lasts does. */
  static final int WINDOW_SECONDS = 5;

  /**
   * Agents look for changes of demand dozens of times a second, so now and then chance alone passes
   * for a fall of demand, until the report that follows a tenth of a second later.
   */
  static final double FALSE_ALARM_SECONDS = 0.3;

  /** What passes in a second is a Poisson count; so many of its standard deviations are chance. */
  static final double SIGMAS = 6;

  @Override
  public String name() {
    return "not-above-limit";
  }

  /** The most that may pass a second, over so many seconds. */
  static double most(double limitPerSecond, int seconds) {
    return limitPerSecond * (1 + SHARE) + SIGMAS * Math.sqrt(limitPerSecond / seconds);
  }

  @Override
  public List<String> violations(Moment moment) {
    List<String> found = new ArrayList<>();
    for (Moment.BucketSecond bucket : moment.buckets()) {
      double limit = bucket.limitPerSecond();
      double excess = Math.max(0, bucket.demandPerSecond() - limit);
      double mostInOne = most(limit, 1) + FALSE_ALARM_SECONDS * excess;
      double mostLately = most(limit, WINDOW_SECONDS);
      if (bucket.settled() && bucket.denies()) {
        if (bucket.passed() > mostInOne) {
          found.add(describe(bucket, bucket.passed(), "in a second", mostInOne));
        }
        if (bucket.passedLately() > mostLately) {
          found.add(describe(bucket, bucket.passedLately(), "a second, over five", mostLately));
        }
      }
    }
    return found;
  }

  private static String describe(
      Moment.BucketSecond bucket, double passed, String when, double most) {
    return String.format(
        Locale.ROOT,
        "%s: %.0f passed %s (expected: at most %.0f, for a limit of %.0f/s and a demand of %.0f/s)",
        bucket.name(),
        passed,
        when,
        most,
        bucket.limitPerSecond(),
        bucket.demandPerSecond());
  }
}
