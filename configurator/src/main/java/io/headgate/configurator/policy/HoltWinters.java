package io.headgate.configurator.policy;

import org.hipparchus.analysis.MultivariateFunction;
import org.hipparchus.optim.InitialGuess;
import org.hipparchus.optim.MaxEval;
import org.hipparchus.optim.nonlinear.scalar.GoalType;
import org.hipparchus.optim.nonlinear.scalar.ObjectiveFunction;
import org.hipparchus.optim.nonlinear.scalar.noderiv.NelderMeadSimplex;
import org.hipparchus.optim.nonlinear.scalar.noderiv.SimplexOptimizer;
import org.hipparchus.stat.regression.SimpleRegression;

/**
 * Holt-Winters exponential smoothing with an additive season. The start values are those of R's
 * {@code HoltWinters}: level and trend from a line through the moving average of the first two
 * seasons, the season from what these differ by from it.
 *
 * <p>C. C. Holt, "Forecasting seasonals and trends by exponentially weighted averages" (1957); P.
 * R. Winters, "Forecasting sales by exponentially weighted moving averages", Management Science 6
 * (1960).
 */
final class HoltWinters {

  private static final int START_SEASONS = 2;
  private static final int MOST_EVALUATIONS = 5000;

  private final int period;
  private final double level;
  private final double trend;
  private final double[] season;
  private final double[] residuals;
  private final double[] weights;

  private HoltWinters(
      int period,
      double level,
      double trend,
      double[] season,
      double[] residuals,
      double[] weights) {
    this.period = period;
    this.level = level;
    this.trend = trend;
    this.season = season;
    this.residuals = residuals;
    this.weights = weights;
  }

  /** Whether there are values enough for the start, and one to learn from. */
  static boolean isEnough(int values, int period) {
    return values > START_SEASONS * period;
  }

  /**
   * Smooths with the weights that make the sum of squared errors least, as far as a simplex search
   * finds them.
   */
  static HoltWinters fit(double[] values, int period) {
    MultivariateFunction errors =
        weights -> {
          double[] within = {bounded(weights[0]), bounded(weights[1]), bounded(weights[2])};
          double outside = 0;
          for (int i = 0; i < within.length; i++) {
            outside += Math.abs(weights[i] - within[i]);
          }
          HoltWinters model = smooth(values, period, within[0], within[1], within[2]);
          return model.squaredErrors() * (1 + outside);
        };
    double[] best =
        new SimplexOptimizer(1e-10, 1e-12)
            .optimize(
                new MaxEval(MOST_EVALUATIONS),
                new ObjectiveFunction(errors),
                GoalType.MINIMIZE,
                new InitialGuess(new double[] {0.3, 0.1, 0.1}),
                new NelderMeadSimplex(3, 0.2))
            .getPoint();
    return smooth(values, period, bounded(best[0]), bounded(best[1]), bounded(best[2]));
  }

  private static double bounded(double weight) {
    return Math.max(0, Math.min(1, weight));
  }

  /**
   * Smooths with these weights, each from 0 to 1.
   *
   * @throws IllegalArgumentException if there are not values enough
   */
  static HoltWinters smooth(double[] values, int period, double alpha, double beta, double gamma) {
    if (!isEnough(values.length, period)) {
      throw new IllegalArgumentException(
          "values: " + values.length + " (expected: more than " + START_SEASONS * period + ")");
    }
    double[] average = movingAverage(values, period);
    SimpleRegression line = new SimpleRegression();
    for (int i = 0; i < average.length; i++) {
      line.addData(i + 1.0, average[i]);
    }
    double level = line.getIntercept();
    double trend = line.getSlope();
    double[] season = seasonOfStart(values, average, period);
    double[] residuals = new double[values.length - period];
    for (int i = period; i < values.length; i++) {
      double ofSeason = season[i % period];
      residuals[i - period] = values[i] - (level + trend + ofSeason);
      double before = level;
      level = alpha * (values[i] - ofSeason) + (1 - alpha) * (level + trend);
      trend = beta * (level - before) + (1 - beta) * trend;
      season[i % period] = gamma * (values[i] - level) + (1 - gamma) * ofSeason;
    }
    return new HoltWinters(
        period,
        level,
        trend,
        seasonAhead(season, values.length),
        residuals,
        new double[] {alpha, beta, gamma});
  }

  /** The season so that its first value is that of the first step after the end. */
  private static double[] seasonAhead(double[] season, int length) {
    double[] ahead = new double[season.length];
    for (int i = 0; i < ahead.length; i++) {
      ahead[i] = season[(length + i) % season.length];
    }
    return ahead;
  }

  /** Centred over one period, of the start; of an even period the ends count half. */
  private static double[] movingAverage(double[] values, int period) {
    int half = period / 2;
    double[] average = new double[START_SEASONS * period - 2 * half];
    for (int i = 0; i < average.length; i++) {
      double sum = 0;
      for (int j = -half; j <= half; j++) {
        boolean end = period % 2 == 0 && Math.abs(j) == half;
        sum += (end ? 0.5 : 1) * values[i + half + j];
      }
      average[i] = sum / period;
    }
    return average;
  }

  private static double[] seasonOfStart(double[] values, double[] average, int period) {
    int half = period / 2;
    double[] season = new double[period];
    int[] count = new int[period];
    for (int i = 0; i < average.length; i++) {
      season[(i + half) % period] += values[i + half] - average[i];
      count[(i + half) % period]++;
    }
    double mean = 0;
    for (int i = 0; i < period; i++) {
      season[i] /= count[i];
      mean += season[i] / period;
    }
    for (int i = 0; i < period; i++) {
      season[i] -= mean;
    }
    return season;
  }

  /**
   * The value to expect.
   *
   * @param steps how many steps after the last value, from 1
   */
  double forecast(int steps) {
    return level + steps * trend + season[(steps - 1) % period];
  }

  /** How far each value after the first season was from what the values before it let expect. */
  double[] residuals() {
    return residuals.clone();
  }

  /** Alpha (level), beta (trend) and gamma (season). */
  double[] weights() {
    return weights.clone();
  }

  double squaredErrors() {
    double sum = 0;
    for (double residual : residuals) {
      sum += residual * residual;
    }
    return sum;
  }
}
