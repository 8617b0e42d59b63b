package io.headgate.agent;

import io.headgate.core.shed.NoiseBand;

/**
 * What is known of one bucket's demand: its usual rate, and what was counted at the last looks.
 * Confined to the event loop.
 */
final class BucketDemand {

  /**
   * Looks are made dozens of times a second, so what is news then must be further off than in a
   * report that is due anyway. The lower tail of a Poisson count is lighter than the upper.
   */
  private static final double RISE_SIGMA = 4.5;

  private static final double FALL_SIGMA = 3.5;

  /**
   * When the control plane gives another directive, demand has moved somewhere. It has probably
   * moved here too, and a smaller sign of that will do.
   */
  private static final double ALERT_SIGMA = 2.5;

  private static final long ALERT_NANOS = 250_000_000;

  /**
   * Silence may be a thread that waits for a processor; it is a fall of demand if it lasts. To see
   * a fall late costs requests that could have passed for a moment, to see one where there is none
   * lets through too many.
   */
  private static final long FALL_NANOS = 4 * DemandWatch.LOOK_NANOS;

  /**
   * A rise is one only if it is more than what was missing in the moments before: calls that were
   * held up somewhere come in a burst. Of what is too much in a window, at least this part must be
   * too much in one so many times as long.
   */
  private static final double RISE_KEPT = 0.5;

  private static final int RISE_CONTEXT = 4;

  private static final double REPORT_SIGMA = 3.5;

  private final NoiseBand band = new NoiseBand();

  /** What had been counted in all at the last looks, in a ring. */
  private final long[] totals = new long[LookTimes.KEPT];

  private long totalAtReport;
  private long alertSinceNanos;
  private long recent;
  private long recentNanos;

  /**
   * Takes what has been counted in all up to now.
   *
   * @param catchingUp whether calls are being made now that were held up before
   * @return whether demand has left its noise band since the last report; then {@link
   *     #recentNanos()} tells since when
   */
  boolean look(LookTimes times, long total, long nanosSinceReport, boolean catchingUp) {
    int now = times.slot();
    totals[now] = total;
    recentNanos = 0;
    if (catchingUp) {
      return false;
    }
    // The shortest window that shows the change has the least of what was before it.
    for (int looksBack = 1;
        looksBack <= times.sinceReport() && looksBack < LookTimes.KEPT;
        looksBack *= 2) {
      long counted = total - totals[times.slot(looksBack)];
      long nanos = times.nanos(looksBack);
      if (isNews(times, counted, nanos) && isNoCatchUp(times, total, counted, looksBack)) {
        recent = counted;
        recentNanos = nanos;
        return true;
      }
    }
    return isNews(times, total - totalAtReport, nanosSinceReport);
  }

  private boolean isNews(LookTimes times, long counted, long nanos) {
    double seconds = nanos / 1e9;
    boolean falls = counted < band.ratePerSecond() * seconds;
    if (falls && nanos < FALL_NANOS) {
      return false;
    }
    double sigma = falls ? FALL_SIGMA : RISE_SIGMA;
    boolean alert = alertSinceNanos != 0 && times.nowNanos() - alertSinceNanos < ALERT_NANOS;
    return band.isLeftBy(counted, seconds, alert ? ALERT_SIGMA : sigma);
  }

  private boolean isNoCatchUp(LookTimes times, long total, long counted, int looksBack) {
    int context = Math.min(RISE_CONTEXT * looksBack, times.made() - 1);
    double excess = counted - band.ratePerSecond() * times.nanos(looksBack) / 1e9;
    double excessInContext =
        total - totals[times.slot(context)] - band.ratePerSecond() * times.nanos(context) / 1e9;
    return excess <= 0 || excessInContext >= RISE_KEPT * excess;
  }

  /** The control plane has given a directive that is much different from the one before. */
  void alert(long nowNanos) {
    alertSinceNanos = nowNanos;
  }

  /**
   * For how long demand has been as it is now; 0 where that is not known to be less than since the
   * last report.
   */
  long recentNanos() {
    return recentNanos;
  }

  /** What was counted in {@link #recentNanos()}. */
  long recent() {
    return recent;
  }

  /** Everything up to {@code total} is reported. */
  void reported(long total, long nanosSinceReport) {
    long counted = total - totalAtReport;
    totalAtReport = total;
    if (recentNanos > 0) {
      band.restart(recent, recentNanos / 1e9);
      recentNanos = 0;
    } else if (band.isLeftBy(counted, nanosSinceReport / 1e9, REPORT_SIGMA)) {
      band.restart(counted, nanosSinceReport / 1e9);
    } else {
      band.learn(counted, nanosSinceReport / 1e9);
    }
  }
}
