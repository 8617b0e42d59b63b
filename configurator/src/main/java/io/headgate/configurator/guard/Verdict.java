package io.headgate.configurator.guard;

import java.util.List;

/**
 * What the guards make of an estimate.
 *
 * @param perSecond the limit to set; the one before if nothing is to change
 * @param wantedPerSecond where the limit would go without bounds on a single run
 * @param needsApproval whether it stops short of that unless somebody approves of going there at
 *     once
 * @param reasons which guards had a say, in their order
 */
public record Verdict(
    double perSecond, double wantedPerSecond, boolean needsApproval, List<String> reasons) {

  public Verdict {
    reasons = List.copyOf(reasons);
  }

  /** The limit stays as it is, and that is right so. */
  public static Verdict keep(double currentPerSecond, String reason) {
    return new Verdict(currentPerSecond, currentPerSecond, false, List.of(reason));
  }
}
