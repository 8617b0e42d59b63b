package io.headgate.configurator.promotion;

import io.headgate.configurator.guard.PromotionSettings;
import io.headgate.core.rule.Rate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a limit has shown in shadow, outside of the windows of the calendar.
 *
 * @param days how long it has been there
 * @param wouldDropShare the share of the calls that it would have dropped in the last days, 0 to 1;
 *     NaN if none was offered
 * @param peakPerSecond the greatest rate that was offered in them
 * @param coverage the share of them of which the rates are known, 0 to 1
 */
record ShadowEvidence(double days, double wouldDropShare, double peakPerSecond, double coverage) {

  /** What is missing for it to be enforced; nothing if it may be. */
  List<String> missing(Rate limit, PromotionSettings settings) {
    List<String> missing = new ArrayList<>();
    if (days < settings.days()) {
      // Rounded down, so that it never says "7.0 of 7 days".
      missing.add(
          String.format(
              Locale.ROOT, "%.1f of %s days", Math.floor(10 * days) / 10, plain(settings.days())));
    }
    if (coverage < settings.coverage()) {
      missing.add(
          String.format(
              Locale.ROOT,
              "known %.1f %% < %s",
              Math.floor(1000 * coverage) / 10,
              percent(settings.coverage())));
    }
    if (Double.isNaN(wouldDropShare)) {
      missing.add("calls");
      return missing;
    }
    if (wouldDropShare >= settings.virtualDropShare()) {
      missing.add(
          "would drop %s >= %s"
              .formatted(percent(wouldDropShare), percent(settings.virtualDropShare())));
    }
    double ratio = peakPerSecond / limit.perSecond();
    // Rounded away from the bound, likewise.
    if (ratio > settings.mostPeakToLimit()) {
      missing.add(
          String.format(
              Locale.ROOT,
              "peak/limit %.3f > %s",
              Math.ceil(1000 * ratio) / 1000,
              plain(settings.mostPeakToLimit())));
    }
    if (ratio < settings.leastPeakToLimit()) {
      missing.add(
          String.format(
              Locale.ROOT,
              "peak/limit %.3f < %s",
              Math.floor(1000 * ratio) / 1000,
              plain(settings.leastPeakToLimit())));
    }
    return missing;
  }

  /** What speaks for it. */
  String summary(Rate limit) {
    return String.format(
        Locale.ROOT,
        "%.1f days, would drop %s, peak/limit %.2f",
        Math.floor(10 * days) / 10,
        percent(wouldDropShare),
        peakPerSecond / limit.perSecond());
  }

  static String percent(double share) {
    double percent = 100 * share;
    return (percent == Math.rint(percent)
            ? String.format(Locale.ROOT, "%.0f", percent)
            : String.format(Locale.ROOT, percent < 1 ? "%.4f" : "%.1f", percent))
        + " %";
  }

  private static String plain(double number) {
    return number == Math.rint(number)
        ? String.format(Locale.ROOT, "%.0f", number)
        : String.valueOf(number);
  }
}
