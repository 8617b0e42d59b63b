package io.headgate.core.limit;

import java.util.Arrays;

/** The counts of the segments of a window; the semantics are those of .NET. */
final class SegmentedLimiter extends LockedLimiter {

  private final long permits;
  private final long segment;
  private final long[] taken;
  private long used;

  /** The start of the current segment, and its place among the counts. */
  private long start;

  private int place;

  SegmentedLimiter(SegmentedWindow limit, long nowNanos) {
    super(limit);
    permits = limit.limit();
    segment = limit.segmentNanos();
    taken = new long[limit.segmentsPerWindow()];
    start = nowNanos - Math.floorMod(nowNanos, segment);
  }

  @Override
  void inherit(Limiter predecessor, long remaining, long nowNanos) {
    long wanted = permits - remaining;
    if (predecessor instanceof SegmentedLimiter old
        && old.segment == segment
        && old.taken.length == taken.length) {
      start = old.start;
      place = old.place;
      used = old.used;
      System.arraycopy(old.taken, 0, taken, 0, taken.length);
    }
    for (int after = 1; used > wanted; after++) {
      int oldest = (place + after) % taken.length;
      long forgotten = Math.min(taken[oldest], used - wanted);
      taken[oldest] -= forgotten;
      used -= forgotten;
    }
    charge(wanted - used);
  }

  @Override
  void advance(long nowNanos) {
    long elapsed = nowNanos - start;
    if (elapsed < segment) {
      return;
    }
    long steps = elapsed / segment;
    start += steps * segment;
    if (steps >= taken.length) {
      Arrays.fill(taken, 0);
      used = 0;
      return;
    }
    for (long step = 0; step < steps; step++) {
      place = place + 1 == taken.length ? 0 : place + 1;
      used -= taken[place];
      taken[place] = 0;
    }
  }

  @Override
  long left() {
    return permits - used;
  }

  @Override
  void charge(long cost) {
    taken[place] += cost;
    used += cost;
  }

  @Override
  boolean uncharge(long back, long takenAtNanos) {
    long ago = takenAtNanos >= start ? 0 : (start - takenAtNanos - 1) / segment + 1;
    if (ago >= taken.length) {
      return false;
    }
    int at = (int) Math.floorMod(place - ago, (long) taken.length);
    if (back > taken[at]) {
      return false;
    }
    taken[at] -= back;
    used -= back;
    return true;
  }

  @Override
  void forgive(long permits) {
    long rest = permits;
    for (int ago = 0; rest > 0; ago++) {
      int at = Math.floorMod(place - ago, taken.length);
      long forgiven = Math.min(taken[at], rest);
      taken[at] -= forgiven;
      used -= forgiven;
      rest -= forgiven;
    }
  }

  @Override
  long wait(long cost, long nowNanos) {
    long windows = (cost - 1) / permits;
    long missing = cost - windows * permits - left();
    long wait = start - nowNanos;
    for (int after = 1; missing > 0; after++) {
      missing -= taken[(place + after) % taken.length];
      wait += segment;
    }
    return WideMath.saturatedAdd(
        wait, WideMath.multiplyAddDivide(windows, segment * taken.length, 0, 1));
  }

  @Override
  long full() {
    for (int ago = 0; ago < taken.length; ago++) {
      if (taken[(place - ago + taken.length) % taken.length] > 0) {
        return start + (taken.length - ago) * segment;
      }
    }
    return start;
  }
}
