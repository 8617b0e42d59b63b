package io.headgate.configurator.policy;

import io.headgate.configurator.history.History;
import io.headgate.configurator.parameters.Parameters;
import io.headgate.configurator.series.Series;

/**
 * {@code seasonal}: the greatest rate in the hours of the week that the limit has to hold for, of
 * all weeks, times a buffer. A limit that follows the hours, for runs that come as often.
 */
public final class SeasonalPolicy implements PolicyFactory {

  private static final int HOUR = 3600;
  private static final int HOURS = Series.WEEK / HOUR;

  @Override
  public String name() {
    return "seasonal";
  }

  @Override
  public LimitPolicy create(Parameters parameters) {
    return new Seasonal(parameters.number("buffer", 1.3, 1, 100));
  }

  private record Seasonal(double buffer) implements LimitPolicy {

    @Override
    public Estimate estimate(History history, Outlook outlook) {
      double[] peaks = new double[HOURS];
      Series filled = history.filled();
      for (int i = 0; i < filled.size(); i++) {
        int hour = hourOfWeek(filled.second(i));
        peaks[hour] = filled.at(i) > peaks[hour] ? filled.at(i) : peaks[hour];
      }
      // An hour longer than to the next run, which may be late.
      long hours = Math.min(HOURS, (outlook.runSeconds() + HOUR - 1) / HOUR + 1);
      double peak = 0;
      for (int ahead = 0; ahead < hours; ahead++) {
        peak = Math.max(peak, peaks[hourOfWeek(outlook.nowSecond() + (long) ahead * HOUR)]);
      }
      return Estimate.learned(
          peak * buffer,
          "peak of the next %d hours in other weeks %s x %s"
              .formatted(hours, Words.rate(peak), Words.factor(buffer)));
    }

    private static int hourOfWeek(long second) {
      return (int) (Math.floorMod(second, (long) Series.WEEK) / HOUR);
    }
  }
}
