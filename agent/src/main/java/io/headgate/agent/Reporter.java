package io.headgate.agent;

import io.headgate.core.time.EventLoop;
import io.headgate.protocol.v1.Report;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides when to report and what. It reports each interval, from a random start so that the
 * processes of a fleet do not keep step, and at once when a stream begins. What cannot be sent is
 * not queued: it stays in the counters, and the next report covers a longer time. Confined to the
 * event loop.
 */
final class Reporter {

  /** Where reports go: the stream in use. */
  interface Outlet {

    boolean isReady();

    void send(Report report);
  }

  /**
   * What is counted over less than this part of an interval says little about a rate. A report that
   * comes sooner has definitions alone.
   */
  private static final int LEAST_PART_OF_INTERVAL = 4;

  private final EventLoop loop;
  private final RandomGenerator random;
  private final Gates gates;
  private final BucketNumbers numbers;
  private final LongSupplier configVersion;
  private final long usualIntervalNanos;
  private final long leastCountedNanos;

  private long intervalNanos;
  private long sequence;
  private long countedSinceNanos;
  private long dueNanos;
  private EventLoop.@Nullable Timer timer;
  private @Nullable Outlet outlet;
  private boolean waitsForOutlet;

  Reporter(
      EventLoop loop,
      RandomGenerator random,
      Gates gates,
      BucketNumbers numbers,
      LongSupplier configVersion,
      long intervalNanos) {
    this.loop = loop;
    this.random = random;
    this.gates = gates;
    this.numbers = numbers;
    this.configVersion = configVersion;
    this.usualIntervalNanos = intervalNanos;
    this.leastCountedNanos = intervalNanos / LEAST_PART_OF_INTERVAL;
    this.intervalNanos = intervalNanos;
  }

  void start() {
    countedSinceNanos = loop.nanoTime();
    dueNanos = countedSinceNanos + random.nextLong(intervalNanos);
    scheduleNext();
  }

  void stop() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }

  /**
   * A stream begins: from now on reports go there, the first one at once. If that is too early for
   * counts, these follow as soon as they mean something.
   */
  void attach(Outlet stream) {
    outlet = stream;
    numbers.clear();
    intervalNanos = usualIntervalNanos;
    waitsForOutlet = true;
    ready();
    if (nanosToEnoughCounts() > 0) {
      loop.schedule(nanosToEnoughCounts(), () -> reportTo(stream));
    }
  }

  private void reportTo(Outlet stream) {
    if (stream == outlet) {
      report();
    }
  }

  /** The stream is over. */
  void detach() {
    outlet = null;
    waitsForOutlet = false;
  }

  /** The stream takes messages again. */
  void ready() {
    if (waitsForOutlet) {
      report();
    }
  }

  /** Reports no more often than this until told otherwise. */
  void slowDown(long atLeastNanos) {
    intervalNanos = Math.max(usualIntervalNanos, atLeastNanos);
  }

  long intervalNanos() {
    return intervalNanos;
  }

  private void tick() {
    report();
    // A loop that was held up does not make up for the reports it missed.
    dueNanos = Math.max(dueNanos + intervalNanos, loop.nanoTime());
    scheduleNext();
  }

  private void scheduleNext() {
    timer = loop.schedule(dueNanos - loop.nanoTime(), this::tick);
  }

  /** Reports now if the stream takes it; else as soon as it does. */
  void report() {
    Outlet to = outlet;
    if (to == null) {
      return;
    }
    waitsForOutlet = !to.isReady();
    if (!waitsForOutlet) {
      write(to, nanosToEnoughCounts() == 0);
    }
  }

  /** How long until the counts cover enough time to make a rate; 0 if they do. */
  long nanosToEnoughCounts() {
    return Math.max(0, countedSinceNanos + leastCountedNanos - loop.nanoTime());
  }

  /** Reports all that is left, however little, whether the stream is ready or not. */
  void reportLast() {
    if (outlet != null) {
      write(outlet, true);
    }
  }

  private void write(Outlet to, boolean counts) {
    long now = loop.nanoTime();
    long elapsedNanos = Math.max(1, now - countedSinceNanos);
    ReportWriter writer = writer(elapsedNanos);
    for (ServiceGates service : gates.services()) {
      for (Bucket bucket : service.buckets()) {
        if (writer.isFull()) {
          to.send(writer.build());
          writer = writer(elapsedNanos);
        }
        writer.define(bucket);
        if (counts) {
          writer.count(bucket);
        }
      }
    }
    to.send(writer.build());
    if (counts) {
      countedSinceNanos = now;
    }
  }

  private ReportWriter writer(long elapsedNanos) {
    Report.Builder report =
        Report.newBuilder()
            .setSequence(++sequence)
            .setElapsedNanos(elapsedNanos)
            .setConfigVersion(configVersion.getAsLong());
    return new ReportWriter(report, numbers);
  }
}
