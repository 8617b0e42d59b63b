package io.headgate.configurator.trigger;

import io.headgate.configurator.parameters.Parameters;
import java.time.Duration;

/**
 * When demand has gone away from a limit.
 *
 * @param every how often to look; zero for never
 * @param above the greatest rate of the last day, as a share of the limit, above which it has
 * @param below the one below which it has
 * @param shift how much evidence for another level of demand there must be, see {@link DriftCheck}
 * @param coolDown how long after a run there is none for this
 */
public record DriftSettings(
    Duration every, double above, double below, double shift, Duration coolDown) {

  /** What holds where nothing else is said. */
  public static final DriftSettings DEFAULT =
      new DriftSettings(Duration.ofMinutes(15), 0.9, 0.3, 2, Duration.ofHours(1));

  /** Whether nobody looks. */
  public boolean isOff() {
    return every.isZero();
  }

  /** What somebody has set, with these settings for the rest. */
  public DriftSettings with(Parameters parameters) {
    DriftSettings settings =
        new DriftSettings(
            parameters.duration("every", every),
            parameters.number("above", above, 0, 1000),
            parameters.number("below", below, 0, 1000),
            parameters.number("shift", shift, 0.1, 1000),
            parameters.duration("coolDown", coolDown));
    if (settings.below >= settings.above) {
      parameters.problem(
          "below",
          "below: found "
              + settings.below
              + " (expected: less than above, "
              + settings.above
              + ")");
    }
    parameters.finish();
    return settings;
  }
}
