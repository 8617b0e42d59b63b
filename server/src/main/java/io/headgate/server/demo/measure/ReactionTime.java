package io.headgate.server.demo.measure;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalDouble;

/**
 * How long after a step of demand the admitted rate comes down: until the first moment from which
 * on the rate, over a sliding window, stays below a bound for a second. Takes samples of a counter
 * in the order of time; confined to one thread.
 */
public final class ReactionTime {

  private static final long STAY_NANOS = 1_000_000_000;
  private static final double NANOS_PER_SECOND = 1e9;

  private record Sample(long nanoTime, long count) {}

  private final long stepNanos;
  private final double boundPerSecond;
  private final long windowNanos;
  private final Deque<Sample> window = new ArrayDeque<>();

  private boolean below;
  private long belowSince;
  private boolean found;

  /**
   * Nothing has been seen yet.
   *
   * @param stepNanos when demand stepped, on the clock of the samples
   * @param boundPerSecond the rate to stay below
   * @param windowNanos over how long rates are taken
   */
  public ReactionTime(long stepNanos, double boundPerSecond, long windowNanos) {
    this.stepNanos = stepNanos;
    this.boundPerSecond = boundPerSecond;
    this.windowNanos = windowNanos;
  }

  /** Takes the counter's value at a moment. Samples from before the step fill the first window. */
  public void add(long nanoTime, long count) {
    window.addLast(new Sample(nanoTime, count));
    Sample oldest = window.getFirst();
    while (window.size() > 2 && nanoTime - second().nanoTime >= windowNanos) {
      window.removeFirst();
      oldest = window.getFirst();
    }
    long span = nanoTime - oldest.nanoTime;
    if (found || nanoTime < stepNanos || span < windowNanos) {
      return;
    }
    if ((count - oldest.count) * NANOS_PER_SECOND / span >= boundPerSecond) {
      below = false;
    } else if (!below) {
      below = true;
      belowSince = nanoTime;
    }
    found = below && nanoTime - belowSince >= STAY_NANOS;
  }

  private Sample second() {
    var samples = window.iterator();
    samples.next();
    return samples.next();
  }

  /** The seconds from the step on; empty while the rate has not stayed below. */
  public OptionalDouble seconds() {
    return found
        ? OptionalDouble.of((belowSince - stepNanos) / NANOS_PER_SECOND)
        : OptionalDouble.empty();
  }
}
