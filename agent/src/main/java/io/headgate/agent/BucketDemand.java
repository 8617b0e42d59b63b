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
   * The shortest window in which a fall is seen, and both of its halves must show it. To see a fall
   * late costs requests that could have passed for a moment, to see one where there is none lets
   * through too many.
   */
  private static final int FALL_LOOKS = 4;

  /**
   * Less than this share of what was expected in half of the window is silence: it may be threads
   * that wait for a processor, so it has to last three times as long.
   */
  private static final double SILENCE = 0.1;

  private static final int SILENCE_LOOKS = 3 * FALL_LOOKS;

  /** Of the significance of a fall, each half must have this part; on average it has 0.7. */
  private static final double FALL_HALF = 0.5;

  /**
   * When the control plane gives another directive, demand has moved somewhere. It has probably
   * moved here too, and a smaller sign of that will do.
   */
  private static final double ALERT_SIGMA = 2.5;

  private static final long ALERT_NANOS = 250_000_000;

  /**
   * A rise is one only if it is more than what was missing in the moments before: calls that were
   * held up somewhere come in a burst. Of what is too much in a window, at least this part must be
   * too much in all that is remembered, which is longer than silence goes unnoticed.
   */
  private static final double RISE_KEPT = 0.5;

  /** A report that covers less may lie within silence, or within the burst after it. */
  private static final long TELLING_NANOS = 500_000_000;

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
    boolean alert = alertSinceNanos != 0 && times.nowNanos() - alertSinceNanos < ALERT_NANOS;
    // The shortest window that shows the change has the least of what was before it.
    for (int looks = 1; looks <= times.sinceReport() && looks < LookTimes.KEPT; looks *= 2) {
      long counted = counted(times, total, looks, 0);
      if (rises(times, total, counted, times.nanos(looks), alert)) {
        keepRecent(times, looks, counted);
        return true;
      }
    }
    for (int looks = FALL_LOOKS;
        looks <= times.sinceReport() && looks <= SILENCE_LOOKS;
        looks += FALL_LOOKS) {
      if (falls(times, total, looks, alert)) {
        keepRecent(times, looks, counted(times, total, looks, 0));
        return true;
      }
    }
    return rises(times, total, total - totalAtReport, nanosSinceReport, alert);
  }

  private void keepRecent(LookTimes times, int looks, long counted) {
    recent = counted;
    recentNanos = times.nanos(looks);
  }

  /** What was counted from some looks ago to fewer looks ago. */
  private long counted(LookTimes times, long total, int fromLooks, int toLooks) {
    return (toLooks == 0 ? total : totals[times.slot(toLooks)]) - totals[times.slot(fromLooks)];
  }

  private boolean rises(LookTimes times, long total, long counted, long nanos, boolean alert) {
    double seconds = nanos / 1e9;
    double excess = counted - band.ratePerSecond() * seconds;
    return excess > 0
        && band.isLeftBy(counted, seconds, alert ? ALERT_SIGMA : RISE_SIGMA)
        && excessOfAll(times, total) >= RISE_KEPT * excess;
  }

  /** By how much more was counted than expected in all the time that is remembered. */
  private double excessOfAll(LookTimes times, long total) {
    int looks = times.made() - 1;
    return counted(times, total, looks, 0) - band.ratePerSecond() * times.nanos(looks) / 1e9;
  }

  private boolean falls(LookTimes times, long total, int looks, boolean alert) {
    int half = looks / 2;
    long nanos = times.nanos(looks);
    long halfNanos = times.nanos(half);
    long late = counted(times, total, half, 0);
    long early = counted(times, total, looks, half);
    double silence = SILENCE * band.ratePerSecond() * nanos / 1e9 / 2;
    if (Math.min(late, early) < silence && looks < SILENCE_LOOKS) {
      return false;
    }
    double sigma = alert ? ALERT_SIGMA : FALL_SIGMA;
    return isBelow(late + early, nanos, sigma)
        && isBelow(late, halfNanos, FALL_HALF * sigma)
        && isBelow(early, nanos - halfNanos, FALL_HALF * sigma);
  }

  private boolean isBelow(long counted, long nanos, double sigma) {
    double seconds = nanos / 1e9;
    return counted < band.ratePerSecond() * seconds && band.isLeftBy(counted, seconds, sigma);
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

  /**
   * Whether what has been counted since the last report is off the usual rate by more than noise.
   */
  boolean hasMoved(long total, long nanosSinceReport) {
    return band.isLeftBy(total - totalAtReport, nanosSinceReport / 1e9, REPORT_SIGMA);
  }

  /** Everything up to {@code total} is reported. */
  void reported(long total, long nanosSinceReport) {
    long counted = total - totalAtReport;
    totalAtReport = total;
    if (recentNanos > 0) {
      band.restart(recent, recentNanos / 1e9);
      recentNanos = 0;
    } else if (nanosSinceReport >= TELLING_NANOS
        && band.isLeftBy(counted, nanosSinceReport / 1e9, REPORT_SIGMA)) {
      band.restart(counted, nanosSinceReport / 1e9);
    } else {
      band.learn(counted, nanosSinceReport / 1e9);
    }
  }
}
