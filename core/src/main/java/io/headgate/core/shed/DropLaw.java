package io.headgate.core.shed;

import org.jspecify.annotations.Nullable;

/**
 * Decides how much of one bucket's traffic passes, from the demand that is offered to it.
 *
 * <p>The law is {@code drop = (actual - limit) / actual}, with <i>actual</i> the demand
 * <i>before</i> any drop, as Uber's Global Rate Limiter and the GRD scheme of Raghavan et al.,
 * "Cloud Control with Distributed Rate Limiting" (SIGCOMM 2007) have it. Fed with offered traffic
 * it is feed-forward: a delay makes it late, never unstable. Fed with admitted traffic it never
 * settles.
 *
 * <p>Around that formula:
 *
 * <ul>
 *   <li>demand is estimated for each level by {@link DemandEstimator}, so that noise at the limit
 *       drops next to nothing and a step acts at once;
 *   <li>the limit is what is left of it by sources that cannot be told to shed, but never less than
 *       a floor;
 *   <li>dropping starts when demand is significantly above the limit and ends when it is not above
 *       it;
 *   <li>the limit goes to the most urgent level first; the level at which it runs out is sampled,
 *       those after it are dropped.
 * </ul>
 *
 * <p>It keeps the state of one bucket in one domain, has no time of its own, and is confined to one
 * thread.
 */
public final class DropLaw {

  private static final double NANOS_PER_SECOND = 1e9;

  private final LawSettings settings;
  private final @Nullable DemandEstimator[] estimators = new DemandEstimator[Level.COUNT];
  private final double[] estimates = new double[Level.COUNT];

  private long lastNanos;
  private boolean shedding;

  /** A law that has seen nothing yet. */
  public DropLaw(LawSettings settings) {
    this.settings = settings;
  }

  /**
   * The directive for the demand as it is now.
   *
   * @param nowNanos a monotonic time
   * @param limitPerSecond what may pass
   */
  public Directive update(long nowNanos, Demand demand, double limitPerSecond) {
    double total = 0;
    double variance = estimate(demand, (nowNanos - lastNanos) / NANOS_PER_SECOND);
    lastNanos = nowNanos;
    for (double estimate : estimates) {
      total += estimate;
    }
    double limit =
        Math.max(settings.floorShare() * limitPerSecond, limitPerSecond - demand.heldPerSecond());
    // Leaving has no margin: demand at or under the limit must lose nothing.
    double margin = shedding ? 0 : settings.entrySigma() * Math.sqrt(variance);
    shedding = total > limit + margin;
    return shedding ? fill(limit) : Directive.NONE;
  }

  /** The estimated demand of all levels together, per second. */
  public double estimatePerSecond() {
    double total = 0;
    for (double estimate : estimates) {
      total += estimate;
    }
    return total;
  }

  /** Brings the estimates up to date; returns the variance of their sum. */
  private double estimate(Demand demand, double sinceLastSeconds) {
    double sum = 0;
    for (double offered : demand.offeredPerSecond()) {
      sum += offered;
    }
    double variancePerRate = sum > 0 ? demand.variance() / sum : 1;
    double variance = 0;
    for (int level = 0; level < Level.COUNT; level++) {
      double offered = demand.offeredPerSecond()[level];
      @Nullable DemandEstimator estimator = estimators[level];
      if (estimator == null) {
        if (offered == 0) {
          continue;
        }
        estimator = new DemandEstimator();
        estimators[level] = estimator;
      }
      estimator.update(offered, offered * variancePerRate, sinceLastSeconds, settings);
      estimates[level] = estimator.rate();
      variance += estimator.sigma() * estimator.sigma();
    }
    return variance;
  }

  /** Gives the limit to the most urgent level first. */
  private Directive fill(double limitPerSecond) {
    double room = limitPerSecond;
    for (int level = 0; level < Level.COUNT; level++) {
      double offered = estimates[level];
      if (offered > room) {
        return new Directive(level, Directive.accept(room / offered));
      }
      room -= offered;
    }
    return Directive.NONE;
  }
}
