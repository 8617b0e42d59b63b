package io.headgate.configurator.series;

import java.util.Arrays;

/**
 * A rate over time at even steps, in requests per second. A step of which nothing is known is NaN.
 * Immutable.
 */
public final class Series {

  /** Seconds of a day. */
  public static final int DAY = 86_400;

  /** Seconds of a week. */
  public static final int WEEK = 7 * DAY;

  private final long fromSecond;
  private final int stepSeconds;
  private final double[] perSecond;

  private Series(long fromSecond, int stepSeconds, double[] perSecond) {
    this.fromSecond = fromSecond;
    this.stepSeconds = stepSeconds;
    this.perSecond = perSecond;
  }

  /**
   * A series of these values.
   *
   * @param fromSecond where the first step begins, in seconds since the epoch
   * @param stepSeconds the length of a step; divides a day
   * @param perSecond a value a step
   * @throws IllegalArgumentException if the step does not divide a day
   */
  public static Series of(long fromSecond, int stepSeconds, double[] perSecond) {
    requireStep(stepSeconds);
    return new Series(fromSecond, stepSeconds, perSecond.clone());
  }

  static void requireStep(int stepSeconds) {
    if (stepSeconds < 1 || DAY % stepSeconds != 0) {
      throw new IllegalArgumentException(
          "step: " + stepSeconds + " s (expected: a time that divides a day)");
    }
  }

  /** How many steps there are. */
  public int size() {
    return perSecond.length;
  }

  /** The length of a step in seconds. */
  public int stepSeconds() {
    return stepSeconds;
  }

  /** The time that it is about. */
  public TimeRange range() {
    return new TimeRange(fromSecond, fromSecond + (long) size() * stepSeconds);
  }

  /** The rate in a step, NaN if it is not known. */
  public double at(int step) {
    return perSecond[step];
  }

  /** When a step begins, in seconds since the epoch. */
  public long second(int step) {
    return fromSecond + (long) step * stepSeconds;
  }

  /** All values, as a copy. */
  public double[] values() {
    return perSecond.clone();
  }

  /** The values that are known, in their order. */
  public double[] known() {
    return Arrays.stream(perSecond).filter(value -> !Double.isNaN(value)).toArray();
  }

  /** How many steps a day has. */
  public int stepsPerDay() {
    return DAY / stepSeconds;
  }

  /** How many whole days it has, counted back from its end. */
  public int days() {
    return size() / stepsPerDay();
  }

  /** The first step of a day, of those counted back from the end; day 0 is the oldest. */
  public int firstStepOfDay(int day) {
    return size() - (days() - day) * stepsPerDay();
  }

  /**
   * A part of it.
   *
   * @param from the first step
   * @param to the step after the last
   */
  public Series part(int from, int to) {
    return new Series(second(from), stepSeconds, Arrays.copyOfRange(perSecond, from, to));
  }

  /** The same time with other values, one a step. */
  public Series withValues(double[] values) {
    if (values.length != size()) {
      throw new IllegalArgumentException(
          "values: " + values.length + " (expected: " + size() + ", one a step)");
    }
    return new Series(fromSecond, stepSeconds, values.clone());
  }
}
