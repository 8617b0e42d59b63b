package io.headgate.core.limit;

/** The counts of the current and the previous window. */
final class CounterLimiter extends LockedLimiter {

  private final long permits;
  private final long window;
  private long start;
  private long previous;
  private long current;

  /** The largest time seen, within the window. */
  private long last;

  CounterLimiter(SlidingCounter limit, long nowNanos) {
    super(limit);
    permits = limit.limit();
    window = limit.window().toNanos();
    start = nowNanos - Math.floorMod(nowNanos, window);
    last = nowNanos;
  }

  @Override
  void inherit(Limiter predecessor, long remaining, long nowNanos) {
    long wanted = permits - remaining;
    if (predecessor instanceof CounterLimiter old && old.window == window) {
      start = old.start;
      last = old.last;
      previous = old.previous;
      current = Math.min(old.current, wanted);
      long most = WideMath.multiplyAddDivide(wanted - current, window, 0, covered());
      previous = Math.min(previous, most);
    }
    charge(left() - remaining);
  }

  /** How much of the window before the sliding window covers. */
  private long covered() {
    return window - (last - start);
  }

  @Override
  void advance(long nowNanos) {
    if (nowNanos <= last) {
      return;
    }
    last = nowNanos;
    long elapsed = nowNanos - start;
    if (elapsed < window) {
      return;
    }
    previous = elapsed - window < window ? current : 0;
    current = 0;
    start = nowNanos - Math.floorMod(nowNanos, window);
  }

  @Override
  long left() {
    return permits - current - WideMath.multiplyDivideUp(previous, covered(), window);
  }

  @Override
  void charge(long cost) {
    current += cost;
  }

  @Override
  boolean uncharge(long back, long takenAtNanos) {
    if (takenAtNanos >= start && back <= current) {
      current -= back;
      return true;
    }
    if (takenAtNanos < start && takenAtNanos >= start - window && back <= previous) {
      previous -= back;
      return true;
    }
    return false;
  }

  /** Of the window before, a permit weighs less than one, so that all of it may have to go. */
  @Override
  void forgive(long back) {
    long wanted = left() + back;
    current -= Math.min(current, back);
    if (left() < wanted) {
      long room = permits - current - wanted;
      previous = Math.min(previous, WideMath.multiplyAddDivide(room, window, 0, covered()));
    }
  }

  @Override
  long wait(long wanted, long nowNanos) {
    long cost = Math.min(wanted, permits);
    long room = permits - current - cost;
    if (room >= 0) {
      // From here on the previous window covers no more than the room.
      return start + untilCovers(room, previous) - nowNanos;
    }
    // Not in this window: in the next, this one is the previous.
    return WideMath.saturatedAdd(start + window - nowNanos, untilCovers(permits - cost, current));
  }

  /** How far into a window the weight of the one before, with {@code count}, is down to room. */
  private long untilCovers(long room, long count) {
    return count <= room ? 0 : window - WideMath.multiplyAddDivide(room, window, 0, count);
  }

  @Override
  long full() {
    if (current > 0) {
      return start + window + window;
    }
    return previous > 0 ? start + window : last;
  }
}
