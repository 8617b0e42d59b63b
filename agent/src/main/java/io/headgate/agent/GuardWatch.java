package io.headgate.agent;

import io.headgate.core.time.EventLoop;
import org.jspecify.annotations.Nullable;

/**
 * Has the buckets with a {@link SurgeGuard} looked at forty times a second, as long as a rule asks
 * for one. Confined to the event loop.
 */
final class GuardWatch {

  /** By then the slowest loop of reports, sums and directives, one interval each, has judged. */
  private static final int HOLD_INTERVALS = 3;

  private final EventLoop loop;
  private final Gates gates;
  private final long holdNanos;
  private final LookTimes times = new LookTimes();
  private EventLoop.@Nullable Timer timer;

  GuardWatch(EventLoop loop, Gates gates, long reportIntervalNanos) {
    this.loop = loop;
    this.gates = gates;
    holdNanos = HOLD_INTERVALS * reportIntervalNanos;
  }

  /** Other rules are in force. */
  void rulesChanged() {
    if (timer == null && gates.isGuarded()) {
      look();
    }
  }

  void stop() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }

  private void look() {
    times.add(loop.nanoTime());
    // Once more after the last guard has gone, to let go of what it holds back.
    timer = gates.isGuarded() ? loop.schedule(DemandWatch.LOOK_NANOS, this::look) : null;
    for (ServiceGates service : gates.services()) {
      for (Bucket bucket : service.buckets()) {
        bucket.guard(times, holdNanos);
      }
    }
  }
}
