package io.headgate.server.demo.measure;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run of the demo has shown; its JSON form is what {@code --json} prints. Rates and ratios
 * are over the steady part of the run.
 *
 * @param seconds how long the load was on
 * @param measuredSeconds how long its steady part was
 * @param rules the rules, in judging order
 * @param reaction how fast the main rule acted
 * @param failedCalls calls that failed for another reason than a rule, over the whole run
 * @param firstFailure why the first of these failed; null if there is none
 */
public record DemoResult(
    double seconds,
    double measuredSeconds,
    List<RuleResult> rules,
    Reaction reaction,
    long failedCalls,
    @Nullable String firstFailure) {

  /**
   * A rule.
   *
   * @param limitPerSecond its limit, that of one region, zone or caller where these count by
   *     themselves
   * @param offeredPerSecond calls judged by it, everywhere
   * @param admittedPerSecond of these, passed
   * @param dropRatio the share it dropped, from 0 to 1
   * @param wouldDropRatio the share it would have dropped were it not in shadow, from 0 to 1
   * @param domains where its limit counts together
   * @param callers who called
   */
  public record RuleResult(
      String service,
      String rule,
      String scope,
      String behavior,
      double limitPerSecond,
      double offeredPerSecond,
      double admittedPerSecond,
      double dropRatio,
      double wouldDropRatio,
      List<DomainResult> domains,
      List<CallerResult> callers) {}

  /** A part of the fleet over which a rule's limit counts together. */
  public record DomainResult(
      String domain,
      double limitPerSecond,
      double offeredPerSecond,
      double admittedPerSecond,
      double dropRatio) {}

  /** A caller's calls that a rule judged. */
  public record CallerResult(
      String caller, String zone, double offeredPerSecond, double dropRatio) {}

  /**
   * How fast the main rule acted on a step of demand.
   *
   * @param secondsToUnder110Percent from the step until the admitted rate stayed below 110 % of the
   *     limit; null where the load has no step
   */
  public record Reaction(@Nullable Double secondsToUnder110Percent) {}
}
