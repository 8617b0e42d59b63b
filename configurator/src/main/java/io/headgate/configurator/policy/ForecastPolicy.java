package io.headgate.configurator.policy;

import io.headgate.configurator.history.History;
import io.headgate.configurator.parameters.Parameters;
import io.headgate.configurator.series.Series;
import java.util.Arrays;
import org.hipparchus.stat.StatUtils;
import org.jspecify.annotations.Nullable;

/**
 * {@code forecast}: Holt-Winters with a weekly season on the daily peaks; the greatest peak that it
 * expects in the coming week, and three standard deviations. It is believed only if it would have
 * forecast the last week well; if not, {@code peak} answers, and the reason says so.
 */
public final class ForecastPolicy implements PolicyFactory {

  private static final int WEEK = 7;

  @Override
  public String name() {
    return "forecast";
  }

  @Override
  public LimitPolicy create(Parameters parameters) {
    return new Forecast(
        parameters.number("sigmas", 3, 0, 10),
        parameters.number("worstError", 0.15, 0.001, 1),
        PeakPolicy.of(parameters));
  }

  private record Forecast(double sigmas, double worstError, LimitPolicy fallBack)
      implements LimitPolicy {

    @Override
    public Estimate estimate(History history, Outlook outlook) {
      double[] peaks = withoutGaps(history.dailyPeaks());
      if (peaks == null || !HoltWinters.isEnough(peaks.length - WEEK, WEEK)) {
        return fallBack(history, outlook, "no forecast from less than " + (3 * WEEK + 1) + " days");
      }
      double error = errorOfLastWeek(peaks);
      if (!(error <= worstError)) {
        return fallBack(
            history,
            outlook,
            "the forecast of the last week was off by "
                + Words.percent(error)
                + ", more than "
                + Words.percent(worstError));
      }
      HoltWinters model = HoltWinters.fit(peaks, WEEK);
      int days = WEEK + (int) ((outlook.runSeconds() + Series.DAY - 1) / Series.DAY) - 1;
      double peak = 0;
      for (int day = 1; day <= Math.max(WEEK, days); day++) {
        peak = Math.max(peak, model.forecast(day));
      }
      double sigma = sigma(model.residuals());
      return Estimate.learned(
          peak + sigmas * sigma,
          "forecast peak %s + %s x %s, off by %s in the last week"
              .formatted(
                  Words.rate(peak), Words.factor(sigmas), Words.rate(sigma), Words.percent(error)));
    }

    private Estimate fallBack(History history, Outlook outlook, String why) {
      Estimate estimate = fallBack.estimate(history, outlook);
      return new Estimate(estimate.perSecond(), estimate.agreed(), why + ": " + estimate.reason());
    }

    /** The weighted absolute percentage error: the sum of errors by the sum of values. */
    private static double errorOfLastWeek(double[] peaks) {
      HoltWinters model = HoltWinters.fit(Arrays.copyOf(peaks, peaks.length - WEEK), WEEK);
      double errors = 0;
      double sum = 0;
      for (int day = 1; day <= WEEK; day++) {
        double peak = peaks[peaks.length - WEEK + day - 1];
        errors += Math.abs(peak - model.forecast(day));
        sum += peak;
      }
      return errors / sum;
    }

    /** Outliers were taken out of the history, so errors need no robust measure. */
    private static double sigma(double[] residuals) {
      return Math.sqrt(StatUtils.sumSq(residuals) / residuals.length);
    }

    /** Days without a peak get the median of the same weekday, null if there is none. */
    private static double @Nullable [] withoutGaps(double[] peaks) {
      double[] filled = peaks.clone();
      for (int day = 0; day < peaks.length; day++) {
        if (Double.isNaN(peaks[day])) {
          int weekday = day % WEEK;
          double[] others = new double[peaks.length];
          int count = 0;
          for (int other = weekday; other < peaks.length; other += WEEK) {
            if (!Double.isNaN(peaks[other])) {
              others[count++] = peaks[other];
            }
          }
          if (count == 0) {
            return null;
          }
          filled[day] = StatUtils.percentile(others, 0, count, 50);
        }
      }
      return filled;
    }
  }
}
