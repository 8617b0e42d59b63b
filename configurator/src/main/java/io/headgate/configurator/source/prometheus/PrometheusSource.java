package io.headgate.configurator.source.prometheus;

import io.headgate.configurator.series.Series;
import io.headgate.configurator.series.SeriesBuilder;
import io.headgate.configurator.series.TimeRange;
import io.headgate.configurator.source.Measure;
import io.headgate.configurator.source.MetricQuery;
import io.headgate.configurator.source.MetricSource;
import io.headgate.configurator.source.SourceException;
import org.jspecify.annotations.Nullable;

/** Reads weeks in slices, since Prometheus answers with 11,000 steps at most. */
final class PrometheusSource implements MetricSource {

  private final PrometheusApi api;
  private final Queries queries;
  private final Retries retries;
  private final int stepsPerRequest;
  private final Object watchedLock = new Object();
  private @Nullable Series lastWatched;

  PrometheusSource(PrometheusApi api, Queries queries, Retries retries, int stepsPerRequest) {
    this.api = api;
    this.queries = queries;
    this.retries = retries;
    this.stepsPerRequest = stepsPerRequest;
  }

  /** An expression of one's own may be about the closest caller and procedure. */
  @Override
  public boolean knowsSingleBuckets() {
    return !queries.offered().equals(Queries.OFFERED);
  }

  @Override
  public Series read(MetricQuery query) throws SourceException, InterruptedException {
    Series series = read(query, queries.expression(query));
    if (query.measure() != Measure.OFFERED || queries.watched().isEmpty()) {
      return series;
    }
    Series watched = watched(query);
    double[] values = series.values();
    for (int i = 0; i < values.length; i++) {
      if (Double.isNaN(values[i]) && !Double.isNaN(watched.at(i))) {
        values[i] = 0;
      }
    }
    return series.withValues(values);
  }

  /** The same for all rules, so that it is read once a run. */
  private Series watched(MetricQuery query) throws SourceException, InterruptedException {
    synchronized (watchedLock) {
      Series known = lastWatched;
      boolean fits =
          known != null
              && known.range().equals(query.range())
              && known.stepSeconds() == query.stepSeconds();
      if (known == null || !fits) {
        known = read(query, queries.watchedExpression(query));
        lastWatched = known;
      }
      return known;
    }
  }

  private Series read(MetricQuery query, String expression)
      throws SourceException, InterruptedException {
    TimeRange range = query.range();
    int step = query.stepSeconds();
    SeriesBuilder series = new SeriesBuilder(range, step);
    long slice = (long) step * stepsPerRequest;
    for (long from = range.fromSecond(); from < range.toSecond(); from += slice) {
      long to = Math.min(range.toSecond(), from + slice);
      // What Prometheus evaluates at a moment looks back, so a step is asked for at its end.
      long first = from + step;
      RangeAnswer answer = retries.run(() -> api.range(expression, first, to, step));
      check(answer, query, expression);
      for (int i = 0; i < answer.seconds().length; i++) {
        series.add(answer.seconds()[i] - step, answer.values()[i]);
      }
    }
    return series.build();
  }

  private static void check(RangeAnswer answer, MetricQuery query, String expression)
      throws SourceException {
    if (answer.warning() != null) {
      throw new SourceException(
          "%s: the answer may be a part of the truth: %s, for the query %s"
              .formatted(query.limit(), answer.warning(), expression));
    }
    if (!answer.resultType().equals("matrix")) {
      throw new SourceException(
          "%s: found a result of type '%s' (expected: matrix), for the query %s"
              .formatted(query.limit(), answer.resultType(), expression));
    }
    if (answer.series() > 1) {
      throw new SourceException(
          "%s: found %d series (expected: one; sum or max puts them together), for the query %s"
              .formatted(query.limit(), answer.series(), expression));
    }
    for (double value : answer.values()) {
      if (value < 0 && query.measure() == Measure.OFFERED) {
        throw new SourceException(
            "%s: found the negative rate %s, for the query %s"
                .formatted(query.limit(), value, expression));
      }
    }
  }
}
