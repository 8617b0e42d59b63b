package io.headgate.simulator.run;

import io.headgate.simulator.world.WorkMeter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;

/**
 * How long nodes of one kind worked, and how long their ticks took, in processor time of the thread
 * that they run on. To ask for that time costs as much as some messages, so of what was not set
 * ahead only every so many are measured.
 */
final class WorkTimes implements WorkMeter {

  private static final double NANOS_PER_MILLI = 1e6;
  private static final int MEASURED_ONE_OF = 32;
  private static final long NOT_MEASURED = -1;

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final long tickAheadNanos;
  private long[] tickNanos = new long[256];
  private int ticks;
  private long workNanos;
  private int turn;

  /**
   * Nothing measured yet.
   *
   * @param tickAheadNanos what was set so long before is a tick; other work follows sooner
   */
  WorkTimes(long tickAheadNanos) {
    this.tickAheadNanos = tickAheadNanos;
  }

  @Override
  public long begin(long aheadNanos) {
    if (aheadNanos == 0 && ++turn % MEASURED_ONE_OF != 0) {
      return NOT_MEASURED;
    }
    return threads.getCurrentThreadCpuTime();
  }

  @Override
  public void end(long aheadNanos, long begun) {
    if (begun == NOT_MEASURED) {
      return;
    }
    long took = threads.getCurrentThreadCpuTime() - begun;
    workNanos += aheadNanos == 0 ? MEASURED_ONE_OF * took : took;
    if (aheadNanos >= tickAheadNanos) {
      add(took);
    }
  }

  /** Counts what another one has measured. */
  void add(WorkTimes other) {
    workNanos += other.workNanos;
    for (int tick = 0; tick < other.ticks; tick++) {
      add(other.tickNanos[tick]);
    }
  }

  private void add(long nanos) {
    if (ticks == tickNanos.length) {
      tickNanos = Arrays.copyOf(tickNanos, 2 * ticks);
    }
    tickNanos[ticks++] = nanos;
  }

  /** Forgets all. */
  void reset() {
    ticks = 0;
    workNanos = 0;
  }

  double workSeconds() {
    return workNanos / 1e9;
  }

  /** The time that so many of the ticks took at most; 0 if there was none. */
  double tickMillis(double quantile) {
    if (ticks == 0) {
      return 0;
    }
    long[] sorted = Arrays.copyOf(tickNanos, ticks);
    Arrays.sort(sorted);
    return sorted[(int) Math.ceil(quantile * ticks) - 1] / NANOS_PER_MILLI;
  }
}
