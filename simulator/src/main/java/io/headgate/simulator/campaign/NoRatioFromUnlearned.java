package io.headgate.simulator.campaign;

import io.headgate.simulator.run.Sight;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A controller sends no directives before it has heard a full interval from nine tenths of its
 * region's aggregators, or aggregators have been connected to it for the time it may learn.
 */
final class NoRatioFromUnlearned implements Invariant {

  static final double LEARNING_SECONDS = 5;

  /** A report may come this much early and still end a full interval. */
  static final double FULL_INTERVAL_SECONDS = 0.9;

  static final double ENOUGH = 0.9;

  /** A controller goes by its own clock, and so do aggregators. */
  private static final double RIGHT_CLOCK = 1 - RandomWorld.MOST_DRIFT;

  /** Times are whole nanoseconds, and numbers of seconds are not. */
  private static final double ROUNDING_SECONDS = 1e-6;

  @Override
  public String name() {
    return "no-ratio-from-unlearned-controller";
  }

  /** Only of directives that follow soon upon the first connection is anything to be feared. */
  @Override
  public boolean isJudged(Moment moment) {
    return moment.rulings().stream()
        .anyMatch(ruling -> ruling.connectedSeconds() < LEARNING_SECONDS + 1);
  }

  @Override
  public List<String> violations(Moment moment) {
    List<String> found = new ArrayList<>();
    for (Sight.Ruling ruling : moment.rulings()) {
      long heard =
          ruling.coveredSeconds().stream()
              .filter(seconds -> seconds >= RIGHT_CLOCK * FULL_INTERVAL_SECONDS - ROUNDING_SECONDS)
              .count();
      if (heard < ENOUGH * ruling.expected()
          && ruling.connectedSeconds() < RIGHT_CLOCK * LEARNING_SECONDS - ROUNDING_SECONDS) {
        found.add(
            String.format(
                Locale.ROOT,
                "%s: directives at %.3f s, connected for %.3f s and having heard %d of %d aggregators",
                ruling.controller(),
                ruling.atSeconds(),
                ruling.connectedSeconds(),
                heard,
                ruling.expected()));
      }
    }
    return found;
  }
}
