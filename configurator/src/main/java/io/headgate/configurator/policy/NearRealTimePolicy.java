package io.headgate.configurator.policy;

import io.headgate.configurator.history.History;
import io.headgate.configurator.parameters.Parameters;
import io.headgate.configurator.series.Series;
import java.time.Duration;

/**
 * {@code near-real-time}: the greatest rate of a short time, times a buffer, in steps that are
 * bounded. For traffic without habits, and runs that come often.
 */
public final class NearRealTimePolicy implements PolicyFactory {

  @Override
  public String name() {
    return "near-real-time";
  }

  @Override
  public LimitPolicy create(Parameters parameters) {
    Duration window = parameters.duration("window", Duration.ofHours(2));
    if (window.isZero()) {
      parameters.problem("window", "window: found no time (expected: a minute or more)");
    }
    return new NearRealTime(
        window.toSeconds(),
        parameters.number("buffer", 1.5, 1, 100),
        parameters.number("step", 0.1, 0.001, 10));
  }

  private record NearRealTime(long windowSeconds, double buffer, double step)
      implements LimitPolicy {

    @Override
    public Estimate estimate(History history, Outlook outlook) {
      // A day that is unlike others is what this policy is for.
      Series usable = history.usable();
      double peak = Double.NaN;
      for (int i = usable.size() - 1; i >= 0; i--) {
        if (usable.second(i) < outlook.nowSecond() - windowSeconds) {
          break;
        }
        peak = usable.at(i) > peak || Double.isNaN(peak) ? usable.at(i) : peak;
      }
      double current = outlook.currentPerSecond();
      if (Double.isNaN(peak)) {
        return Estimate.learned(current, "nothing is known of the last " + words(windowSeconds));
      }
      double wanted = peak * buffer;
      double bounded =
          Math.max(current * (1 - Math.min(1, step)), Math.min(current * (1 + step), wanted));
      return Estimate.learned(
          bounded,
          "peak of the last %s %s x %s%s"
              .formatted(
                  words(windowSeconds),
                  Words.rate(peak),
                  Words.factor(buffer),
                  bounded == wanted ? "" : ", in steps of " + Words.percent(step)));
    }

    private static String words(long seconds) {
      return seconds % 3600 == 0 ? seconds / 3600 + " h" : seconds / 60 + " min";
    }
  }
}
