package io.headgate.configurator.guard;

import io.headgate.configurator.history.CalendarWindow;
import io.headgate.configurator.history.Coverage;
import io.headgate.configurator.history.History;
import io.headgate.configurator.policy.Estimate;
import io.headgate.configurator.series.Series;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.hipparchus.stat.StatUtils;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a computed limit from doing harm: a policy may be misled by what nobody has marked in the
 * calendar, and then a run must not change much.
 */
public final class Guards {

  private final GuardSettings settings;

  /** Guards with these settings. */
  public Guards(GuardSettings settings) {
    this.settings = settings;
  }

  /** How long before an expected peak it matters. */
  public long secondsBeforePeak() {
    return Math.round(settings.daysBeforePeak() * Series.DAY);
  }

  /** Why nothing is to be learned from a history, or null if it will do. */
  public @Nullable String refusal(History history) {
    Coverage coverage = history.coverage();
    if (coverage.days() < settings.leastDays()) {
      return String.format(
          Locale.ROOT,
          "%.1f days of history (expected: %s at least)",
          coverage.days(),
          number(settings.leastDays()));
    }
    if (coverage.known() < settings.leastKnown()) {
      return "%s of the history is known (expected: %s at least)"
          .formatted(percent(coverage.known()), percent(settings.leastKnown()));
    }
    if (coverage.masked() > settings.mostMasked()) {
      return "%s of the history is left out (expected: %s at most)"
          .formatted(percent(coverage.masked()), percent(settings.mostMasked()));
    }
    return history.usualPeaks().length == 0 ? "no day has a usual peak" : null;
  }

  /**
   * Judges an estimate.
   *
   * @param currentPerSecond the limit now
   * @param peakAhead a peak that people expect soon, or null
   */
  public Verdict judge(
      Estimate estimate,
      History history,
      double currentPerSecond,
      @Nullable CalendarWindow peakAhead) {
    if (estimate.agreed()) {
      return new Verdict(estimate.perSecond(), estimate.perSecond(), false, List.of());
    }
    List<String> reasons = new ArrayList<>();
    double wanted = neat(aboveFloor(estimate.perSecond(), history, reasons), RoundingMode.HALF_UP);
    if (Math.abs(wanted - currentPerSecond) <= settings.deadBand() * currentPerSecond) {
      reasons.add("within " + percent(settings.deadBand()) + " of the limit, kept");
      return new Verdict(currentPerSecond, currentPerSecond, false, reasons);
    }
    return wanted < currentPerSecond
        ? fall(wanted, currentPerSecond, peakAhead, reasons)
        : rise(wanted, currentPerSecond, reasons);
  }

  private double aboveFloor(double wanted, History history, List<String> reasons) {
    double[] known = history.kept().known();
    double median = known.length == 0 ? 0 : StatUtils.percentile(known, 50);
    double ofMedian = settings.floorMedians() * median;
    if (wanted < ofMedian && ofMedian >= settings.floorPerSecond()) {
      reasons.add("not below " + number(settings.floorMedians()) + " times the median");
      return ofMedian;
    }
    if (wanted < settings.floorPerSecond()) {
      reasons.add("not below the floor of " + number(settings.floorPerSecond()) + "/s");
      return settings.floorPerSecond();
    }
    return wanted;
  }

  private Verdict fall(
      double wanted, double current, @Nullable CalendarWindow peakAhead, List<String> reasons) {
    if (peakAhead != null) {
      reasons.add(
          "no fall before the peak of "
              + Instant.ofEpochSecond(peakAhead.range().fromSecond())
              + (peakAhead.about().isEmpty() ? "" : " (" + peakAhead.about() + ")"));
      return new Verdict(current, wanted, true, reasons);
    }
    double least = current * (1 - settings.maxFall());
    if (wanted >= least) {
      return new Verdict(wanted, wanted, false, reasons);
    }
    reasons.add("falls by " + percent(settings.maxFall()) + " in one run at most");
    return new Verdict(neat(least, RoundingMode.CEILING), wanted, true, reasons);
  }

  private Verdict rise(double wanted, double current, List<String> reasons) {
    double most = current * (1 + settings.maxRise());
    if (wanted <= most) {
      return new Verdict(wanted, wanted, false, reasons);
    }
    reasons.add("rises by " + percent(settings.maxRise()) + " in one run at most");
    return new Verdict(neat(most, RoundingMode.FLOOR), wanted, true, reasons);
  }

  /** Three significant digits: a limit is no measurement, and people have to read it. */
  static double neat(double perSecond, RoundingMode rounding) {
    if (perSecond <= 0) {
      return 0;
    }
    int digits = 2 - (int) Math.floor(Math.log10(perSecond));
    return BigDecimal.valueOf(perSecond).setScale(digits, rounding).doubleValue();
  }

  private static String percent(double share) {
    return number(Math.round(1000 * share) / 10.0) + " %";
  }

  private static String number(double number) {
    return number == Math.rint(number)
        ? String.format(Locale.ROOT, "%,.0f", number)
        : String.valueOf(number);
  }
}
