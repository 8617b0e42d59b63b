package io.headgate.server.envoy;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** Requests through a proxy, and what became of them by tenths of a second. */
abstract class Load implements AutoCloseable {

  private static final int SLOTS = 40_000;
  private static final double STEADY = 0.03;
  private static final double TREND = 0.015;
  private static final int MOST_SLOTS = 600;
  private static final long ORIGIN_NANOS = System.nanoTime();
  private static final long ORIGIN_WALL_SLOT = System.currentTimeMillis() / 100;

  static final long SLOT_NANOS = 100_000_000;
  static final double SLOTS_PER_SECOND = 10;

  private final AtomicLongArray passed = new AtomicLongArray(SLOTS);
  private final AtomicLongArray limited = new AtomicLongArray(SLOTS);
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();

  /** The tenth of a second that it is now; one count for all loads. */
  static int slot() {
    return (int) ((System.nanoTime() - ORIGIN_NANOS) / SLOT_NANOS);
  }

  /** The tenth of a second of another process, which counts them by the wall clock. */
  static int slotOfWall(long tenths) {
    return (int) (tenths - ORIGIN_WALL_SLOT);
  }

  /** Lets so many tenths of a second pass, and says which is next. */
  static int pass(int slots) throws InterruptedException {
    int from = slot() + 1;
    while (slot() < from + slots) {
      TimeUnit.MILLISECONDS.sleep(2);
    }
    return from;
  }

  final void notePassed(int slot, int number) {
    passed.addAndGet(slot, number);
    answered.addAndGet(number);
  }

  final void noteLimited(int slot, int number) {
    limited.addAndGet(slot, number);
    answered.addAndGet(number);
  }

  final void noteFailed(int number) {
    failed.addAndGet(number);
  }

  final long passed(int from, int to) {
    return sum(passed, from, to);
  }

  final long limited(int from, int to) {
    return sum(limited, from, to);
  }

  private static long sum(AtomicLongArray counts, int from, int to) {
    long sum = 0;
    for (int i = from; i < to; i++) {
      sum += counts.get(i);
    }
    return sum;
  }

  /** The share that was limited. */
  static double dropShare(int from, int to, Load... loads) {
    double dropped = 0;
    double all = 0;
    for (Load load : loads) {
      dropped += load.limited(from, to);
      all += load.limited(from, to) + load.passed(from, to);
    }
    return dropped / all;
  }

  /**
   * Waits for a stretch of time in which the machine was able to hold the rates of some loads, to
   * within three percent from second to second, and as they were in as long a time before; says
   * where it begins. A limit is held to a figure only while demand is what it is said to be: the
   * law averages over ten seconds, and so is as far behind a demand that changes slowly.
   *
   * @param since when demand became what it is, in slots
   */
  static int steady(int since, int slots, Load... loads) throws InterruptedException {
    int first = pass(slots);
    int from = first;
    while (from - slots < since
        || unsteadiness(from, from + slots, loads) > STEADY
        || trend(from, slots, loads) > TREND) {
      if (from - first > MOST_SLOTS) {
        throw new AssertionError("demand is not steady for a minute");
      }
      from = pass((int) SLOTS_PER_SECOND) + (int) SLOTS_PER_SECOND - slots;
    }
    return from;
  }

  /** How far the mean rate of some loads is from that of the stretch before, in parts of it. */
  private static double trend(int from, int slots, Load... loads) {
    double before = 0;
    double now = 0;
    for (Load load : loads) {
      before += load.answered(from - slots, from);
      now += load.answered(from, from + slots);
    }
    return Math.abs(now / before - 1);
  }

  /** How many of some loads passed. */
  static long passed(int from, int to, Load... loads) {
    long passed = 0;
    for (Load load : loads) {
      passed += load.passed(from, to);
    }
    return passed;
  }

  /**
   * How far the rate of some loads strays from its mean over a stretch of time, second by second:
   * the standard deviation in parts of the mean.
   */
  private static double unsteadiness(int from, int to, Load... loads) {
    int seconds = (to - from) / (int) SLOTS_PER_SECOND;
    double sum = 0;
    double squares = 0;
    for (int second = 0; second < seconds; second++) {
      int begin = from + second * (int) SLOTS_PER_SECOND;
      double here = 0;
      for (Load load : loads) {
        here += load.answered(begin, begin + (int) SLOTS_PER_SECOND);
      }
      sum += here;
      squares += here * here;
    }
    double mean = sum / seconds;
    return Math.sqrt(Math.max(0, squares / seconds - mean * mean)) / mean;
  }

  private long answered(int from, int to) {
    return passed(from, to) + limited(from, to);
  }

  /** The slot of the first request since {@code from} that was limited; -1 if there is none. */
  final int firstLimited(int from, int to) {
    for (int slot = from; slot < to; slot++) {
      if (limited.get(slot) > 0) {
        return slot;
      }
    }
    return -1;
  }

  /** The slot of the last request that was limited; 0 if there is none. */
  final int lastLimited() {
    int slot = slot();
    while (slot > 0 && limited.get(slot) == 0) {
      slot--;
    }
    return slot;
  }

  /** How many got an answer of the service or were limited. */
  final long answered() {
    return answered.get();
  }

  /** How many got neither. */
  final long failed() {
    return failed.get();
  }

  final long allLimited() {
    return limited(0, slot() + 1);
  }

  final long allPassed() {
    return passed(0, slot() + 1);
  }

  @Override
  public abstract void close() throws Exception;
}
