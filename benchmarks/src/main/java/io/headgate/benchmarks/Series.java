package io.headgate.benchmarks;

import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.util.ListStatistics;

/** Samples of one quantity, each over a second or so. */
public final class Series {

  private static final double CONFIDENCE = 0.999;

  private final ListStatistics samples = new ListStatistics();

  /** Adds a sample. */
  public void add(double sample) {
    samples.addValue(sample);
  }

  /** Their mean. */
  public double mean() {
    return samples.getMean();
  }

  /** Half the width of the mean's 99.9 % confidence interval, or null for too few samples. */
  public @Nullable Double error() {
    double error = samples.getMeanErrorAt(CONFIDENCE);
    return Double.isFinite(error) ? error : null;
  }
}
