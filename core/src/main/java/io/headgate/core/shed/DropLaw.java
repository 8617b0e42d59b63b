package io.headgate.core.shed;

/**
 * Decides how much of one bucket's traffic passes, from the demand that is offered to it.
 *
 * <p>The law is {@code drop = (actual - limit) / actual}, with <i>actual</i> the demand
 * <i>before</i> any drop, as Uber's Global Rate Limiter and the GRD scheme of Raghavan et al.,
 * "Cloud Control with Distributed Rate Limiting" (SIGCOMM 2007) have it. Fed with offered traffic
 * it is feed-forward: a delay makes it late, never unstable. Fed with admitted traffic it never
 * settles.
 *
 * <p>It keeps the state of one bucket in one domain, and is confined to one thread.
 */
public final class DropLaw {

  /** Demand must exceed the limit by this many standard deviations before anything is dropped. */
  private static final double ENTRY_SIGMA = 1;

  /** The time over which demand is averaged before it comes here; a report interval. */
  private static final double WINDOW_SECONDS = 1;

  private boolean shedding;

  /**
   * The directive for the demand as it is now.
   *
   * @param offeredPerSecond demand by {@link Level}, before any drop; {@value Level#COUNT} numbers,
   *     none negative
   * @param limitPerSecond what may pass
   */
  public Directive update(double[] offeredPerSecond, double limitPerSecond) {
    double demand = 0;
    for (double offered : offeredPerSecond) {
      demand += offered;
    }
    // Leaving has no margin: an admitted demand at or under the limit must lose nothing.
    shedding = demand > (shedding ? limitPerSecond : entry(limitPerSecond));
    return shedding ? fill(offeredPerSecond, limitPerSecond) : Directive.NONE;
  }

  private static double entry(double limitPerSecond) {
    return limitPerSecond + ENTRY_SIGMA * Math.sqrt(limitPerSecond / WINDOW_SECONDS);
  }

  /** Gives the limit to the most urgent level first; the level at which it runs out is sampled. */
  private static Directive fill(double[] offeredPerSecond, double limitPerSecond) {
    double room = limitPerSecond;
    for (int level = 0; level < offeredPerSecond.length; level++) {
      double offered = offeredPerSecond[level];
      if (offered > room) {
        return new Directive(level, Directive.accept(room / offered));
      }
      room -= offered;
    }
    return Directive.NONE;
  }
}
