package io.headgate.configurator.history;

import io.headgate.configurator.series.LimitKey;
import io.headgate.configurator.series.Series;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Takes out of the past what must not be learned from: incidents, load tests, failovers, throttled
 * time, days with peaks unlike those of others.
 */
public final class Cleaning {

  /** A day of which less is known has no peak. */
  private static final double LEAST_OF_DAY = 0.5;

  private static final List<WindowKind> LEFT_OUT =
      List.of(WindowKind.INCIDENT, WindowKind.FAILOVER, WindowKind.LOAD_TEST, WindowKind.DEPLOY);

  private final Calendar calendar;
  private final boolean learnFromThrottled;

  /**
   * @param learnFromThrottled whether to learn from time in which the rule dropped calls: only if
   *     what is offered does not count retries
   */
  public Cleaning(Calendar calendar, boolean learnFromThrottled) {
    this.calendar = calendar;
    this.learnFromThrottled = learnFromThrottled;
  }

  /**
   * Cleans the past of a limit.
   *
   * @param offered what was offered
   * @param dropped what of it was dropped, over the same steps; NaN where nothing was
   */
  public History clean(LimitKey limit, Series offered, Series dropped) {
    double[] kept = offered.values();
    List<String> notes = new ArrayList<>();
    double failoverPeak = 0;
    for (WindowKind kind : LEFT_OUT) {
      int count = 0;
      for (CalendarWindow window : calendar.of(kind, limit)) {
        double greatest = maskWindow(offered, kept, window);
        count += greatest >= 0 ? 1 : 0;
        failoverPeak =
            kind == WindowKind.FAILOVER ? Math.max(failoverPeak, greatest) : failoverPeak;
      }
      note(notes, count, kind + " window");
    }
    if (!learnFromThrottled) {
      double share = maskThrottled(offered, dropped, kept);
      if (share > 0) {
        notes.add(
            String.format(Locale.ROOT, "without %.1f %% of the time, throttled", 100 * share));
      }
    }
    Series usable = offered.withValues(kept);
    double[] peaks = peaks(usable);
    maskOutliers(offered, kept, peaks, notes);
    Series keptSeries = offered.withValues(kept);
    Series filled = SeasonalFill.fill(keptSeries);
    return new History(
        usable,
        keptSeries,
        filled,
        filledPeaks(filled, peaks),
        coverage(offered, kept),
        failoverPeak,
        notes);
  }

  /** What was offered outside of the windows of the calendar. */
  public Series outsideWindows(LimitKey limit, Series offered) {
    double[] kept = offered.values();
    for (WindowKind kind : LEFT_OUT) {
      calendar.of(kind, limit).forEach(window -> maskWindow(offered, kept, window));
    }
    return offered.withValues(kept);
  }

  /** Returns the greatest rate in the window, negative if nothing is known of it. */
  private static double maskWindow(Series offered, double[] kept, CalendarWindow window) {
    double greatest = -1;
    for (int i = 0; i < kept.length; i++) {
      long from = offered.second(i);
      boolean touched =
          from + offered.stepSeconds() > window.range().fromSecond()
              && from < window.range().toSecond();
      if (touched) {
        greatest = Double.isNaN(offered.at(i)) ? greatest : Math.max(greatest, offered.at(i));
        kept[i] = Double.NaN;
      }
    }
    return greatest;
  }

  private static double maskThrottled(Series offered, Series dropped, double[] kept) {
    int throttled = 0;
    int known = 0;
    for (int i = 0; i < kept.length; i++) {
      known += Double.isNaN(offered.at(i)) ? 0 : 1;
      if (dropped.at(i) > 0) {
        throttled++;
        kept[i] = Double.NaN;
      }
    }
    return known == 0 ? 0 : Math.min(1, (double) throttled / known);
  }

  /** The peaks of days of which enough is kept, NaN for the others. */
  private static double[] peaks(Series kept) {
    double[] peaks = new double[kept.days()];
    for (int day = 0; day < peaks.length; day++) {
      int from = kept.firstStepOfDay(day);
      double peak = Double.NaN;
      int known = 0;
      for (int i = from; i < from + kept.stepsPerDay(); i++) {
        double value = kept.at(i);
        if (!Double.isNaN(value)) {
          known++;
          peak = peak > value ? peak : value;
        }
      }
      peaks[day] = known < LEAST_OF_DAY * kept.stepsPerDay() ? Double.NaN : peak;
    }
    return peaks;
  }

  /** Sets outliers to NaN, and masks the days that are too high. */
  private static void maskOutliers(
      Series offered, double[] kept, double[] peaks, List<String> notes) {
    boolean[] tooHigh = DailyOutliers.tooHigh(peaks);
    boolean[] tooLow = DailyOutliers.tooLow(peaks);
    int newLevel = DailyOutliers.daysOfNewLevel(peaks);
    List<String> leftOut = new ArrayList<>();
    int perDay = offered.stepsPerDay();
    for (int day = 0; day < peaks.length; day++) {
      boolean high = tooHigh[day] && day < peaks.length - newLevel;
      if (high) {
        int from = offered.firstStepOfDay(day);
        Arrays.fill(kept, from, from + perDay, Double.NaN);
        leftOut.add(date(offered.second(from + perDay - 1)));
      }
      if (high || tooLow[day]) {
        peaks[day] = Double.NaN;
      }
    }
    if (newLevel > 0) {
      notes.add("at a new level for " + newLevel + " days");
    }
    if (!leftOut.isEmpty()) {
      notes.add(
          "without "
              + (leftOut.size() == 1 ? "1 outlying day" : leftOut.size() + " outlying days")
              + " ("
              + leftOut.get(0)
              + (leftOut.size() > 1 ? " .." : "")
              + ")");
    }
  }

  private static String date(long second) {
    return Instant.ofEpochSecond(second).atZone(ZoneOffset.UTC).toLocalDate().toString();
  }

  /** The peaks of the days that count, with what was masked in them filled in. */
  private static double[] filledPeaks(Series filled, double[] peaks) {
    double[] ofFilled = peaks(filled);
    return IntStream.range(0, peaks.length)
        .mapToDouble(day -> Double.isNaN(peaks[day]) ? Double.NaN : ofFilled[day])
        .toArray();
  }

  private static Coverage coverage(Series offered, double[] kept) {
    int first = 0;
    while (first < kept.length && Double.isNaN(offered.at(first))) {
      first++;
    }
    int known = 0;
    int masked = 0;
    for (int i = first; i < kept.length; i++) {
      if (!Double.isNaN(offered.at(i))) {
        known++;
        masked += Double.isNaN(kept[i]) ? 1 : 0;
      }
    }
    int steps = kept.length - first;
    return new Coverage(
        (double) steps / offered.stepsPerDay(),
        steps == 0 ? 0 : (double) known / steps,
        known == 0 ? 0 : (double) masked / known);
  }

  private static void note(List<String> notes, int count, String what) {
    if (count > 0) {
      notes.add("without " + count + " " + what + (count > 1 ? "s" : ""));
    }
  }
}
