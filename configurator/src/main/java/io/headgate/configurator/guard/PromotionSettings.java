package io.headgate.configurator.guard;

import io.headgate.configurator.parameters.Parameters;
import io.headgate.control.yaml.Choice;
import java.time.Duration;
import java.util.List;

/**
 * What a limit on trial must have shown before it is enforced, and how it is enforced then.
 *
 * @param automatic whether that happens by itself; if not, it is for people
 * @param days how long it must have been in shadow, outside of the windows of the calendar
 * @param virtualDropShare it would have dropped a smaller share than this of the calls, 0 to 1
 * @param leastPeakToLimit the greatest rate was at least this, in limits
 * @param mostPeakToLimit and at most this
 * @param coverage of this share of the steps the rates are known, 0 to 1
 * @param soak how long it stays at each stage
 * @param stepBackAt if it drops more than this share of the calls there, the former limit comes
 *     back, 0 to 1
 * @param region the region where limits of single regions are enforced first; empty for none
 * @param zones its zones, of which the first is the first for limits of single zones
 */
public record PromotionSettings(
    boolean automatic,
    double days,
    double virtualDropShare,
    double leastPeakToLimit,
    double mostPeakToLimit,
    double coverage,
    Duration soak,
    double stepBackAt,
    String region,
    List<String> zones) {

  /** What holds where nothing else is said. */
  public static final PromotionSettings DEFAULT =
      new PromotionSettings(
          true, 7, 0.0001, 0, 0.85, 0.99, Duration.ofMinutes(30), 0.01, "", List.of());

  private static final Choice ON_OFF = new Choice("on", "off");

  public PromotionSettings {
    zones = List.copyOf(zones);
  }

  /** What somebody has set, with these settings for the rest. */
  public PromotionSettings with(Parameters parameters) {
    Parameters band = parameters.mapping("peakToLimit");
    double least = leastPeakToLimit;
    double most = mostPeakToLimit;
    if (band != null) {
      least = band.number("least", least, 0, 1000);
      most = band.number("most", most, 0, 1000);
      if (least > most) {
        band.problem("least", "least: found " + least + " (expected: at most " + most + ")");
      }
      band.finish();
    }
    PromotionSettings settings =
        new PromotionSettings(
            parameters.word("automatic", ON_OFF, automatic ? "on" : "off").equals("on"),
            parameters.number("days", days, 0, 365),
            parameters.number("virtualDropShare", virtualDropShare, 1e-6, 1),
            least,
            most,
            parameters.number("coverage", coverage, 0, 1),
            parameters.duration("soak", soak),
            parameters.number("stepBackAt", stepBackAt, 0, 1),
            parameters.text("region", region),
            parameters.has("zones") ? parameters.names("zones") : zones);
    if (!settings.zones.isEmpty() && settings.region.isEmpty()) {
      parameters.problem("zones", "zones without region (expected: region, where they are)");
    }
    parameters.finish();
    return settings;
  }
}
