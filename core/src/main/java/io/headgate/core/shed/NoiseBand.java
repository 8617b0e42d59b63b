package io.headgate.core.shed;

/**
 * Tells whether a count of requests is what the rate before it leads one to expect, or news.
 *
 * <p>It keeps an average rate, how much evidence that average rests on, and how bursty the requests
 * are: the variance of their counts over that of a Poisson process (the Fano factor). Confined to
 * one thread.
 */
public final class NoiseBand {

  /** The average forgets evidence that is older than about this. */
  private static final double MEMORY_SECONDS = 5;

  private static final double FANO_MAX = 64;
  private static final double FANO_GAIN = 0.1;
  private static final double FANO_RATIO_MAX = 25;

  /**
   * A Poisson count has a longer tail upwards than its variance says; at small counts this many
   * more requests are not news yet.
   */
  private static final double SMALL_COUNT_SLACK = 3;

  private double ratePerSecond;
  private double evidenceSeconds;
  private double fano = 1;

  /** The average rate per second. */
  public double ratePerSecond() {
    return ratePerSecond;
  }

  /**
   * Whether a count is outside what noise explains.
   *
   * @param count requests in a time
   * @param seconds that time; above 0
   * @param sigma how many standard deviations noise is taken to explain
   */
  public boolean isLeftBy(long count, double seconds, double sigma) {
    double expected = ratePerSecond * seconds;
    double variance = fano * expected * (1 + seconds / Math.max(evidenceSeconds, seconds / 64));
    double distance = count - expected;
    double slack = distance > 0 ? SMALL_COUNT_SLACK : 0;
    return Math.abs(distance) > sigma * Math.sqrt(variance) + slack;
  }

  /** Takes a count that is no news into the average. */
  public void learn(long count, double seconds) {
    double expected = ratePerSecond * seconds;
    double poissonVariance = expected * (1 + seconds / Math.max(evidenceSeconds, seconds / 64));
    if (poissonVariance > 0) {
      double distance = count - expected;
      double ratio = Math.min(FANO_RATIO_MAX, distance * distance / poissonVariance);
      fano = Math.min(FANO_MAX, Math.max(1, fano + FANO_GAIN * (ratio - fano)));
    }
    evidenceSeconds = Math.min(MEMORY_SECONDS, evidenceSeconds + seconds);
    ratePerSecond += Math.min(1, seconds / evidenceSeconds) * (count / seconds - ratePerSecond);
  }

  /** Begins anew with a count that is news. */
  public void restart(long count, double seconds) {
    ratePerSecond = count / seconds;
    evidenceSeconds = seconds;
  }
}
