package io.headgate.configurator.series;

import java.util.Arrays;

/** Makes a series of single samples; of several in one step the greatest counts. */
public final class SeriesBuilder {

  private final TimeRange range;
  private final int stepSeconds;
  private final double[] values;

  /**
   * A series of which nothing is known yet.
   *
   * @throws IllegalArgumentException if the step does not divide a day, or the range is no multiple
   *     of it
   */
  public SeriesBuilder(TimeRange range, int stepSeconds) {
    Series.requireStep(stepSeconds);
    if (range.seconds() % stepSeconds != 0) {
      throw new IllegalArgumentException(
          "time: " + range + " (expected: a multiple of the step of " + stepSeconds + " s)");
    }
    this.range = range;
    this.stepSeconds = stepSeconds;
    values = new double[Math.toIntExact(range.seconds() / stepSeconds)];
    Arrays.fill(values, Double.NaN);
  }

  /** Takes a sample; one that is no number, or outside the time asked for, says nothing. */
  public void add(long second, double perSecond) {
    if (range.contains(second) && Double.isFinite(perSecond)) {
      int step = (int) ((second - range.fromSecond()) / stepSeconds);
      // Not Math.max, which NaN would win.
      values[step] = values[step] > perSecond ? values[step] : perSecond;
    }
  }

  /** The series of all samples up to now. */
  public Series build() {
    return Series.of(range.fromSecond(), stepSeconds, values);
  }
}
