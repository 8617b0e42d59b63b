package io.headgate.examples.policy;

import io.headgate.configurator.parameters.Parameters;
import io.headgate.configurator.policy.Estimate;
import io.headgate.configurator.policy.LimitPolicy;
import io.headgate.configurator.policy.PolicyFactory;
import java.util.Arrays;

/**
 * The median of the daily peaks times a buffer: half of the days may be as wild as they like. It is
 * found by its name in {@code META-INF/services}.
 */
public final class MedianPeakPolicy implements PolicyFactory {

  @Override
  public String name() {
    return "median-peak";
  }

  /** Asks for a parameter, within bounds; what else is set for this policy is a mistake. */
  @Override
  public LimitPolicy create(Parameters parameters) {
    double buffer = parameters.number("buffer", 1.5, 1, 100);
    return (history, outlook) -> {
      double[] peaks = history.usualPeaks(); // without incidents, throttled time and outliers
      Arrays.sort(peaks);
      return Estimate.learned(
          peaks[peaks.length / 2] * buffer, "median of the daily peaks x " + buffer);
    };
  }
}
