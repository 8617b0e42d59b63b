package io.headgate.simulator.scenario;

import io.headgate.core.shed.LawSettings;

/**
 * How the loop is set.
 *
 * @param reportSeconds the report interval
 * @param significance whether agents report at once what is significant, and the tiers above act on
 *     it
 * @param tickSeconds the controllers' tick
 * @param ttlSeconds how long directives hold
 * @param rampSeconds how long their release takes
 * @param law how the drop law weighs evidence
 */
public record Loop(
    double reportSeconds,
    boolean significance,
    double tickSeconds,
    double ttlSeconds,
    double rampSeconds,
    LawSettings law) {

  /** As Headgate runs. */
  public static final Loop DEFAULT = new Loop(1, true, 1, 5, 10, LawSettings.DEFAULT);

  /** As Uber describes its loop: everything once a second, and the latest sample taken as it is. */
  public static final Loop PLAIN = new Loop(1, false, 1, 5, 0, LawSettings.PLAIN);
}
