package io.headgate.simulator.traffic;

import java.util.ArrayList;
import java.util.List;

/** A rate over time: constant between changes, which happen at once or in a straight line. */
public final class RateCurve {

  /**
   * A change of rate.
   *
   * @param atSeconds when it begins
   * @param overSeconds how long it takes; 0: at once
   * @param perSecond the rate after it
   */
  public record Change(double atSeconds, double overSeconds, double perSecond) {}

  /**
   * A square wave on the curve: full rate in the first half of each period, none in the second.
   *
   * @param periodSeconds the period; 0: no wave
   */
  public record Wave(double periodSeconds) {

    /** No wave. */
    public static final Wave NONE = new Wave(0);
  }

  private final double initialPerSecond;
  private final List<Change> changes;
  private final Wave wave;

  /** A curve that begins with a rate and follows changes, given in the order of their times. */
  public RateCurve(double initialPerSecond, List<Change> changes, Wave wave) {
    this.initialPerSecond = initialPerSecond;
    this.changes = new ArrayList<>(changes);
    this.wave = wave;
  }

  /** Its changes, in the order of their times. */
  public List<Change> changes() {
    return List.copyOf(changes);
  }

  /** The rate at a time. */
  public double at(double seconds) {
    double rate = initialPerSecond;
    for (Change change : changes) {
      double passed = seconds - change.atSeconds;
      if (passed < 0) {
        break;
      }
      double done = change.overSeconds > 0 ? Math.min(1, passed / change.overSeconds) : 1;
      rate += done * (change.perSecond - rate);
    }
    double period = wave.periodSeconds;
    return period > 0 && seconds % period >= period / 2 ? 0 : rate;
  }
}
