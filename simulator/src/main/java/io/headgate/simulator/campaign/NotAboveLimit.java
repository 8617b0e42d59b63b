package io.headgate.simulator.campaign;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Once settled and connected, no more passes in a second than the limit and what chance explains.
 */
final class NotAboveLimit implements Invariant {

  /** The share of the limit by which the estimate of demand may be off for a while. */
  static final double SHARE = 0.05;

  /** What passes in a second is a Poisson count; so many of its standard deviations are chance. */
  static final double SIGMAS = 6;

  @Override
  public String name() {
    return "not-above-limit";
  }

  static double most(double limitPerSecond) {
    return limitPerSecond * (1 + SHARE) + SIGMAS * Math.sqrt(limitPerSecond);
  }

  @Override
  public List<String> violations(Moment moment) {
    List<String> found = new ArrayList<>();
    for (Moment.BucketSecond bucket : moment.buckets()) {
      double most = most(bucket.limitPerSecond());
      if (bucket.settled() && bucket.denies() && bucket.passed() > most) {
        found.add(
            String.format(
                Locale.ROOT,
                "%s: %d passed (expected: at most %.0f, for a limit of %.0f/s and a demand of %.0f/s)",
                bucket.name(),
                bucket.passed(),
                most,
                bucket.limitPerSecond(),
                bucket.demandPerSecond()));
      }
    }
    return found;
  }
}
