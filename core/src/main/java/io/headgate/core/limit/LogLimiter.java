package io.headgate.core.limit;

import java.util.Arrays;

/**
 * A log of what was taken and when. Entries of the same segment of time are kept as one that is as
 * young as its youngest part, so a log is never less strict for it; with segments of a nanosecond
 * it is exact.
 */
final class LogLimiter extends LockedLimiter {

  private static final int FIRST_ENTRIES = 4;

  private final long permits;
  private final long window;
  private final long segment;

  /** A ring: pairs of a time and a count, oldest first, from {@code head} on. */
  private long[] entries = new long[2 * FIRST_ENTRIES];

  private int head;
  private int size;
  private long used;
  private long last;

  LogLimiter(Limit limit, long window, long segment, long nowNanos) {
    super(limit);
    permits = limit.limit();
    this.window = window;
    this.segment = segment;
    last = nowNanos;
  }

  @Override
  void inherit(Limiter predecessor, long remaining, long nowNanos) {
    long wanted = permits - remaining;
    if (predecessor instanceof LogLimiter old && old.window == window && old.segment == segment) {
      entries = old.entries.clone();
      head = old.head;
      size = old.size;
      used = old.used;
      last = old.last;
      forget(used - wanted);
    }
    if (wanted > used) {
      charge(wanted - used);
    }
  }

  private void forget(long count) {
    long rest = count;
    while (rest > 0) {
      long oldest = entries[head + 1];
      if (oldest > rest) {
        entries[head + 1] -= rest;
        used -= rest;
        return;
      }
      rest -= oldest;
      dropOldest();
    }
  }

  @Override
  void advance(long nowNanos) {
    if (nowNanos > last) {
      last = nowNanos;
    }
    while (size > 0 && last - entries[head] >= window) {
      dropOldest();
    }
  }

  private void dropOldest() {
    used -= entries[head + 1];
    head = head + 2 == entries.length ? 0 : head + 2;
    size--;
  }

  @Override
  long left() {
    return permits - used;
  }

  @Override
  void charge(long cost) {
    used += cost;
    if (size > 0) {
      int newest = at(size - 1);
      if (isSameSegment(entries[newest], last)) {
        entries[newest] = last;
        entries[newest + 1] += cost;
        return;
      }
    }
    if (2 * size == entries.length) {
      grow();
    }
    int end = at(size);
    entries[end] = last;
    entries[end + 1] = cost;
    size++;
  }

  private boolean isSameSegment(long a, long b) {
    return a == b || (segment > 1 && Math.floorDiv(a, segment) == Math.floorDiv(b, segment));
  }

  private void grow() {
    int length = entries.length;
    long[] larger = Arrays.copyOfRange(entries, head, head + 2 * length);
    System.arraycopy(entries, 0, larger, length - head, head);
    Arrays.fill(larger, length, larger.length, 0);
    entries = larger;
    head = 0;
  }

  private int at(int index) {
    int place = head + 2 * index;
    return place >= entries.length ? place - entries.length : place;
  }

  /** The permits are in the oldest entry that is not older than their taking. */
  @Override
  boolean uncharge(long back, long takenAtNanos) {
    int entry = -1;
    for (int index = size - 1; index >= 0 && entries[at(index)] >= takenAtNanos; index--) {
      entry = at(index);
    }
    if (entry < 0 || back > entries[entry + 1]) {
      return false;
    }
    entries[entry + 1] -= back;
    used -= back;
    return true;
  }

  @Override
  void forgive(long permits) {
    used -= permits;
    long rest = permits;
    while (rest > 0) {
      int newest = at(size - 1);
      long forgiven = Math.min(entries[newest + 1], rest);
      entries[newest + 1] -= forgiven;
      rest -= forgiven;
      if (entries[newest + 1] == 0) {
        size--;
      }
    }
  }

  @Override
  long wait(long cost, long nowNanos) {
    long windows = (cost - 1) / permits;
    long missing = cost - windows * permits - left();
    long freeAt = last;
    for (int index = 0; missing > 0; index++) {
      missing -= entries[at(index) + 1];
      freeAt = entries[at(index)] + window;
    }
    return WideMath.saturatedAdd(
        freeAt - nowNanos, WideMath.multiplyAddDivide(windows, window, 0, 1));
  }

  @Override
  long full() {
    for (int index = size - 1; index >= 0; index--) {
      if (entries[at(index) + 1] > 0) {
        return entries[at(index)] + window;
      }
    }
    return last;
  }
}
