package io.headgate.configurator.policy;

import io.headgate.configurator.history.History;
import io.headgate.configurator.parameters.Parameters;
import org.hipparchus.stat.StatUtils;

/** {@code quantile}: a quantile of the rates of all steps, times a buffer. */
public final class QuantilePolicy implements PolicyFactory {

  @Override
  public String name() {
    return "quantile";
  }

  @Override
  public LimitPolicy create(Parameters parameters) {
    return new Quantile(
        parameters.number("quantile", 0.999, 0.5, 1), parameters.number("buffer", 1.3, 1, 100));
  }

  private record Quantile(double quantile, double buffer) implements LimitPolicy {

    @Override
    public Estimate estimate(History history, Outlook outlook) {
      double value = StatUtils.percentile(history.kept().known(), 100 * quantile);
      return Estimate.learned(
          value * buffer,
          "p"
              + Words.factor(100 * quantile)
              + " "
              + Words.rate(value)
              + " x "
              + Words.factor(buffer));
    }
  }
}
