package io.headgate.configurator.policy;

import io.headgate.configurator.history.History;
import io.headgate.configurator.parameters.Parameters;

/** {@code fixed}: what a contract says, whatever traffic is. */
public final class FixedPolicy implements PolicyFactory {

  @Override
  public String name() {
    return "fixed";
  }

  @Override
  public LimitPolicy create(Parameters parameters) {
    return new Fixed(parameters.rate("limit"));
  }

  private record Fixed(double perSecond) implements LimitPolicy {

    @Override
    public Estimate estimate(History history, Outlook outlook) {
      return new Estimate(perSecond, true, "agreed: " + Words.rate(perSecond));
    }

    @Override
    public boolean needsHistory() {
      return false;
    }
  }
}
