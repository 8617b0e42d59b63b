package io.headgate.benchmarks.loop;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Times from reports to the directives that answered them. Probes on several threads record. */
final class Reactions {

  private static final int SIGNIFICANT_DIGITS = 3;
  private static final double MICROS_PER_MILLI = TimeUnit.MILLISECONDS.toMicros(1);

  private final Histogram startMicros = new ConcurrentHistogram(SIGNIFICANT_DIGITS);
  private final Histogram stopMicros = new ConcurrentHistogram(SIGNIFICANT_DIGITS);

  /**
   * Records a time.
   *
   * @param drops whether the directive starts or stops dropping
   */
  void record(boolean drops, long nanos) {
    (drops ? startMicros : stopMicros).recordValue(TimeUnit.NANOSECONDS.toMicros(nanos));
  }

  /** How many times were recorded. */
  long count(boolean drops) {
    return (drops ? startMicros : stopMicros).getTotalCount();
  }

  /** A percentile of them in milliseconds. */
  double percentileMillis(boolean drops, double percentile) {
    return (drops ? startMicros : stopMicros).getValueAtPercentile(percentile) / MICROS_PER_MILLI;
  }
}
