package io.headgate.agent;

import io.headgate.core.time.EventLoop;
import io.headgate.protocol.v1.Report;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides when to report. It does each interval, from a random start so that the processes of a
 * fleet do not keep step; as soon as it can when a stream begins; and at once when demand moves by
 * more than noise explains, unless it has been asked to slow down. What cannot be sent is not
 * queued: it stays in the counters, and the next report covers a longer time. Confined to the event
 * loop.
 */
final class Reporter implements Reporting {

  /**
   * A report covers at least this part of an interval: less says little about a rate, and a
   * receiver takes each report for all that is offered.
   */
  private static final int LEAST_PART_OF_INTERVAL = 4;

  private final EventLoop loop;
  private final RandomGenerator random;
  private final BucketNumbers numbers;
  private final ReportSeries series;
  private final long usualIntervalNanos;
  private final long leastCountedNanos;
  private final @Nullable DemandWatch watch;

  private long intervalNanos;
  private long countedSinceNanos;
  private long dueNanos;
  private EventLoop.@Nullable Timer timer;
  private EventLoop.@Nullable Timer lookTimer;
  private @Nullable Outlet outlet;
  private boolean waitsForOutlet;
  private boolean waitsForCatchUp;

  Reporter(
      EventLoop loop,
      RandomGenerator random,
      Gates gates,
      BucketNumbers numbers,
      long intervalNanos,
      boolean urgentReports,
      double sparseBelowPerSecond) {
    this.loop = loop;
    this.random = random;
    this.numbers = numbers;
    series = new ReportSeries(gates, numbers, sparseBelowPerSecond);
    this.usualIntervalNanos = intervalNanos;
    this.leastCountedNanos = intervalNanos / LEAST_PART_OF_INTERVAL;
    this.intervalNanos = intervalNanos;
    this.watch = urgentReports ? new DemandWatch(gates) : null;
  }

  @Override
  public void start() {
    countedSinceNanos = loop.nanoTime();
    dueNanos = countedSinceNanos + random.nextLong(intervalNanos);
    scheduleNext();
    if (watch != null) {
      // From a random start, so that the processes that see one step do not report it all at once.
      lookTimer = loop.schedule(random.nextLong(DemandWatch.LOOK_NANOS), this::look);
    }
  }

  @Override
  public void stop() {
    if (lookTimer != null) {
      lookTimer.cancel();
      lookTimer = null;
    }
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }

  /** A stream begins: from now on reports go there, the first one as soon as may be. */
  @Override
  public void attach(Outlet stream) {
    outlet = stream;
    numbers.clear();
    setInterval(usualIntervalNanos);
    loop.schedule(nanosToNextReport(), () -> reportFirst(stream));
  }

  private void reportFirst(Outlet stream) {
    if (stream == outlet) {
      report();
    }
  }

  /** The stream is over. */
  @Override
  public void detach() {
    outlet = null;
    waitsForOutlet = false;
  }

  /** The stream takes messages again. */
  @Override
  public void ready() {
    if (waitsForOutlet) {
      report();
    }
  }

  /** Reports no more often than this until told otherwise. */
  @Override
  public void slowDown(long atLeastNanos) {
    setInterval(Math.max(usualIntervalNanos, atLeastNanos));
  }

  private void setInterval(long nanos) {
    boolean sooner = nanos < intervalNanos;
    intervalNanos = nanos;
    if (sooner && timer != null && !waitsForCatchUp) {
      // What was scheduled by the longer interval comes within the shorter one, at a random time:
      // the whole fleet is told at once.
      long dueSooner = loop.nanoTime() + nanosToNextReport() + random.nextLong(nanos);
      if (dueSooner - dueNanos < 0) {
        timer.cancel();
        dueNanos = dueSooner;
        scheduleNext();
      }
    }
  }

  @Override
  public long intervalNanos() {
    return intervalNanos;
  }

  private void look() {
    long now = loop.nanoTime();
    Outlet to = outlet;
    boolean news = watch != null && watch.look(now, now - countedSinceNanos);
    if (news && to != null && to.isReady() && intervalNanos == usualIntervalNanos) {
      write(to, true);
    }
    lookTimer = loop.schedule(DemandWatch.LOOK_NANOS, this::look);
  }

  private void tick() {
    boolean heldUp = loop.nanoTime() - dueNanos > DemandWatch.HELD_UP_NANOS;
    if (heldUp && !waitsForCatchUp) {
      // Requests were held up too: the counts are right again when these have been made.
      waitsForCatchUp = true;
      timer = loop.schedule(DemandWatch.CATCH_UP_NANOS, this::tick);
      return;
    }
    waitsForCatchUp = false;
    report();
    // A loop that was held up does not make up for the reports it missed.
    dueNanos = Math.max(dueNanos + intervalNanos, loop.nanoTime());
    scheduleNext();
  }

  private void scheduleNext() {
    timer = loop.schedule(dueNanos - loop.nanoTime(), this::tick);
  }

  private void report() {
    Outlet to = outlet;
    if (to == null || nanosToNextReport() > 0) {
      return;
    }
    waitsForOutlet = !to.isReady();
    if (!waitsForOutlet) {
      write(to, false);
    }
  }

  /** How long until what was counted covers enough time to be reported; 0 if it does. */
  @Override
  public long nanosToNextReport() {
    return Math.max(0, countedSinceNanos + leastCountedNanos - loop.nanoTime());
  }

  /** Reports all that is left, however short the time, whether the stream is ready or not. */
  @Override
  public void reportLast() {
    if (outlet != null) {
      write(outlet, false);
    }
  }

  private void write(Outlet to, boolean urgent) {
    long now = loop.nanoTime();
    Report.Builder report = series.next(now - countedSinceNanos, urgent);
    countedSinceNanos = now;
    if (watch != null) {
      watch.reported();
    }
    to.send(report);
  }
}
