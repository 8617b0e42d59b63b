package io.headgate.configurator.trigger;

import io.headgate.configurator.series.Series;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Whether demand has gone away from what a limit was computed for: its greatest rate of the last
 * day is out of a band around the limit, or it has come to another level.
 *
 * <p>The second is told by cumulative sums on the logarithm of each hour's greatest rate by that of
 * the same hour a week before: what goes beyond {@link #ALLOWED} adds up, and a sum above {@link
 * DriftSettings#shift} is a change point. With the usual 2, twice the demand is seen in the fourth
 * hour and half as much again in the ninth; five times the demand for an hour is not, and neither
 * is a fifth more for good. E. S. Page, "Continuous inspection schemes", Biometrika 41 (1954).
 */
public final class DriftCheck {

  /** Rates are compared hour by hour. */
  public static final int STEP_SECONDS = 3600;

  /** Traffic differs by a fifth from week to week without being another one. */
  private static final double ALLOWED = Math.log(1.2);

  private DriftCheck() {}

  /**
   * Judges the last day.
   *
   * @param day the greatest rate of each hour of the last day
   * @param weekBefore the same, a week before
   * @param limitPerSecond the limit now, above 0
   * @return what has changed, for people; null if nothing has, or nothing is known
   */
  public static @Nullable String find(
      Series day, Series weekBefore, double limitPerSecond, DriftSettings settings) {
    double[] known = day.known();
    if (known.length == 0) {
      return null;
    }
    double peak = 0;
    for (double rate : known) {
      peak = Math.max(peak, rate);
    }
    double share = peak / limitPerSecond;
    // Of a part of a day the greatest rate may be still to come.
    boolean wholeDay = known.length == day.size();
    if (share > settings.above() || share < settings.below() && wholeDay) {
      return String.format(
          Locale.ROOT,
          "the greatest rate of the last day, %,.1f/s, is %.0f %% of the limit (expected: %.0f to"
              + " %.0f %%)",
          peak,
          100 * share,
          100 * settings.below(),
          100 * settings.above());
    }
    return shift(day, weekBefore, settings.shift());
  }

  private static @Nullable String shift(Series day, Series weekBefore, double enough) {
    double up = 0;
    double down = 0;
    for (int hour = 0; hour < day.size(); hour++) {
      double change = Math.log(day.at(hour) / weekBefore.at(hour));
      if (!Double.isFinite(change)) { // not known, or none
        continue;
      }
      up = Math.max(0, up + change - ALLOWED);
      down = Math.max(0, down - change - ALLOWED);
      if (up > enough || down > enough) {
        return String.format(
            Locale.ROOT,
            "demand is at %s level than a week before, last at %,.1f/s instead of %,.1f/s",
            up > enough ? "a higher" : "a lower",
            day.at(hour),
            weekBefore.at(hour));
      }
    }
    return null;
  }
}
