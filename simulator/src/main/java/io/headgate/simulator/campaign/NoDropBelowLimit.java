package io.headgate.simulator.campaign;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A rule never drops what its limit has room for: one that only watches drops nothing, ever; and
 * once settled and connected, nothing is dropped where demand is under the limit by more than
 * noise, and elsewhere what is left of it does not fall under the limit by more than chance.
 */
final class NoDropBelowLimit implements Invariant {

  /**
   * So many standard deviations under its limit, demand does not look greater than the limit by the
   * {@linkplain io.headgate.core.shed.LawSettings two} that dropping begins with.
   */
  static final double CLEAR_SIGMAS = 5;

  /** The share of the limit by which the estimate of demand may be off for a while. */
  static final double SHARE = 0.05;

  /** What passes in a second is a Poisson count; so many of its standard deviations are chance. */
  static final double SIGMAS = 6;

  @Override
  public String name() {
    return "no-drop-below-limit";
  }

  static double clear(double limitPerSecond) {
    return limitPerSecond - CLEAR_SIGMAS * Math.sqrt(limitPerSecond);
  }

  static double least(double offered, double limitPerSecond) {
    return Math.min(offered, limitPerSecond) * (1 - SHARE) - SIGMAS * Math.sqrt(limitPerSecond);
  }

  @Override
  public List<String> violations(Moment moment) {
    List<String> found = new ArrayList<>();
    for (Moment.BucketSecond bucket : moment.buckets()) {
      if (bucket.dropped() > 0 && bucket.shadow()) {
        found.add(
            bucket.name() + ": " + bucket.dropped() + " dropped by a rule in shadow (expected: 0)");
      } else if (bucket.dropped() > 0 && bucket.denies() && bucket.settled()) {
        settled(bucket, found);
      }
    }
    return found;
  }

  @Override
  public boolean isJudged(Moment moment) {
    return moment.buckets().stream().anyMatch(NoDropBelowLimit::isJudged);
  }

  private static boolean isJudged(Moment.BucketSecond bucket) {
    double limit = bucket.limitPerSecond();
    if (!bucket.denies()) {
      return bucket.shadow() && bucket.offered() > limit;
    }
    return bucket.settled()
        && (bucket.dropped() > 0
            || (bucket.offered() > 0 && bucket.demandPerSecond() <= clear(limit)));
  }

  private static void settled(Moment.BucketSecond bucket, List<String> found) {
    double limit = bucket.limitPerSecond();
    double least = least(bucket.offered(), limit);
    if (bucket.demandPerSecond() <= clear(limit)) {
      found.add(
          String.format(
              Locale.ROOT,
              "%s: %d of %d dropped (expected: 0, for a limit of %.0f/s and a demand of %.0f/s)",
              bucket.name(),
              bucket.dropped(),
              bucket.offered(),
              limit,
              bucket.demandPerSecond()));
    } else if (bucket.admitted() < least) {
      found.add(
          String.format(
              Locale.ROOT,
              "%s: %d of %d admitted (expected: at least %.0f, for a limit of %.0f/s)",
              bucket.name(),
              bucket.admitted(),
              bucket.offered(),
              least,
              limit));
    }
  }
}
