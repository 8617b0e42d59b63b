package io.headgate.configurator.policy;

import io.headgate.configurator.history.History;
import io.headgate.configurator.parameters.Parameters;

/**
 * {@code capacity}: what {@code peak} says, and no more than a share of the capacity that is
 * planned for the service.
 */
public final class CapacityPolicy implements PolicyFactory {

  @Override
  public String name() {
    return "capacity";
  }

  @Override
  public LimitPolicy create(Parameters parameters) {
    return new Capacity(
        parameters.rate("planned"),
        parameters.number("share", 1, 0.000_001, 1),
        PeakPolicy.of(parameters));
  }

  private record Capacity(double plannedPerSecond, double share, LimitPolicy peak)
      implements LimitPolicy {

    @Override
    public Estimate estimate(History history, Outlook outlook) {
      Estimate estimate = peak.estimate(history, outlook);
      double most = plannedPerSecond * share;
      if (estimate.perSecond() <= most) {
        return estimate;
      }
      return Estimate.learned(
          most,
          "%s of the planned %s, less than %s"
              .formatted(Words.percent(share), Words.rate(plannedPerSecond), estimate.reason()));
    }
  }
}
