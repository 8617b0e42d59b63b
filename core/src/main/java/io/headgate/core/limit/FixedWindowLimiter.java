package io.headgate.core.limit;

/** The count of the current window. */
final class FixedWindowLimiter extends LockedLimiter {

  private final long permits;
  private final long window;
  private long start;
  private long used;

  FixedWindowLimiter(FixedWindow limit, long nowNanos) {
    super(limit);
    permits = limit.limit();
    window = limit.window().toNanos();
    start = nowNanos - Math.floorMod(nowNanos, window);
  }

  @Override
  void advance(long nowNanos) {
    if (nowNanos - start >= window) {
      start = nowNanos - Math.floorMod(nowNanos, window);
      used = 0;
    }
  }

  @Override
  long left() {
    return permits - used;
  }

  @Override
  void charge(long cost) {
    used += cost;
  }

  @Override
  boolean uncharge(long back, long takenAtNanos) {
    boolean counted = takenAtNanos >= start && back <= used;
    if (counted) {
      used -= back;
    }
    return counted;
  }

  @Override
  void forgive(long back) {
    used -= back;
  }

  @Override
  long wait(long cost, long nowNanos) {
    long windows = (cost - left() - 1) / permits + 1;
    return WideMath.saturatedAdd(
        start - nowNanos, WideMath.multiplyAddDivide(windows, window, 0, 1));
  }

  @Override
  long full() {
    return used == 0 ? start : start + window;
  }
}
