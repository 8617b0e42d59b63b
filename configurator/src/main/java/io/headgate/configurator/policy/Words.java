package io.headgate.configurator.policy;

import java.util.Locale;

/** How figures stand in reasons. */
final class Words {

  private Words() {}

  /** A rate with three significant digits or all before the point. */
  static String rate(double perSecond) {
    String form = perSecond >= 100 ? "%,.0f/s" : perSecond >= 10 ? "%.1f/s" : "%.2f/s";
    return String.format(Locale.ROOT, form, perSecond);
  }

  static String factor(double factor) {
    return String.format(Locale.ROOT, "%.4g", factor).replaceFirst("\\.?0+$", "");
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }
}
