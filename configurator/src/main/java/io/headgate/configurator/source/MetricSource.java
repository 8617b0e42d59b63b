package io.headgate.configurator.source;

import io.headgate.configurator.series.Series;

/**
 * Where the rates of the past come from. Safe for use by several threads.
 *
 * <p>A source says what it knows and nothing else: steps without a sample are NaN. It must not give
 * out a part of the truth for the whole; then it throws.
 */
public interface MetricSource extends AutoCloseable {

  /**
   * The rate of the greatest moment in each step.
   *
   * @throws SourceException if it cannot be read, or not as a whole
   * @throws InterruptedException if the thread is interrupted meanwhile
   */
  Series read(MetricQuery query) throws SourceException, InterruptedException;

  /**
   * Whether it can tell the calls of each caller or procedure apart, for a rule that is {@code per}
   * these; if not, what it knows of such a rule is the sum of its buckets.
   */
  default boolean knowsSingleBuckets() {
    return false;
  }

  /** Lets go of what it holds. */
  @Override
  default void close() {}
}
