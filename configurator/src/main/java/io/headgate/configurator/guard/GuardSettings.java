package io.headgate.configurator.guard;

import io.headgate.configurator.parameters.Parameters;

/**
 * How far a computed limit is trusted.
 *
 * @param floorPerSecond no limit is set below this
 * @param floorMedians nor below this many times the median rate
 * @param maxRise the most by which a limit rises in one run, as a share of it
 * @param maxFall the most by which it falls
 * @param deadBand a change of this share or less is not made
 * @param leastDays with less history a limit stays as it is
 * @param leastKnown with a smaller share of it known, too; 0 to 1
 * @param mostMasked with a greater share of that left out, too; 0 to 1
 * @param daysBeforePeak for how many days before an expected peak no limit falls
 */
public record GuardSettings(
    double floorPerSecond,
    double floorMedians,
    double maxRise,
    double maxFall,
    double deadBand,
    double leastDays,
    double leastKnown,
    double mostMasked,
    double daysBeforePeak) {

  /** What holds where nothing else is said. */
  public static final GuardSettings DEFAULT =
      new GuardSettings(10, 2, 0.5, 0.2, 0.05, 14, 0.9, 0.3, 14);

  /** What somebody has set, with these settings for the rest. */
  public GuardSettings with(Parameters parameters) {
    GuardSettings settings =
        new GuardSettings(
            parameters.rate("floor", floorPerSecond),
            parameters.number("floorMedians", floorMedians, 0, 100),
            parameters.number("maxRise", maxRise, 0, 1000),
            parameters.number("maxFall", maxFall, 0, 1),
            parameters.number("deadBand", deadBand, 0, 1),
            parameters.number("leastDays", leastDays, 0, 365),
            parameters.number("leastKnown", leastKnown, 0, 1),
            parameters.number("mostMasked", mostMasked, 0, 1),
            parameters.number("daysBeforePeak", daysBeforePeak, 0, 365));
    parameters.finish();
    return settings;
  }
}
