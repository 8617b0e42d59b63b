package io.headgate.configurator.policy;

import io.headgate.configurator.history.History;
import io.headgate.configurator.parameters.Parameters;
import io.headgate.control.yaml.Choice;
import org.hipparchus.stat.StatUtils;

/**
 * {@code peak}: the greatest usual daily peak, times a buffer, and times growth if that is asked
 * for.
 */
public final class PeakPolicy implements PolicyFactory {

  static final LimitPolicy DEFAULT = new Peak(1.25, false);

  @Override
  public String name() {
    return "peak";
  }

  @Override
  public LimitPolicy create(Parameters parameters) {
    return of(parameters);
  }

  static LimitPolicy of(Parameters parameters) {
    double buffer = parameters.number("buffer", 1.25, 1, 100);
    boolean growth = parameters.word("growth", new Choice("on", "off"), "off").equals("on");
    return new Peak(buffer, growth);
  }

  private record Peak(double buffer, boolean withGrowth) implements LimitPolicy {

    @Override
    public Estimate estimate(History history, Outlook outlook) {
      double peak = StatUtils.max(history.usualPeaks());
      double growth = withGrowth ? Growth.factor(history.dailyPeaks(), outlook.runSeconds()) : 1;
      return Estimate.learned(
          peak * buffer * growth,
          "peak "
              + Words.rate(peak)
              + " x "
              + Words.factor(buffer)
              + (growth > 1 ? " x growth " + Words.factor(growth) : ""));
    }
  }
}
