package io.headgate.agent;

import io.headgate.protocol.v1.Ask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reports when it is told that a stretch of time has been counted in full: counts that come from
 * elsewhere in batches make rates only over the time of whole batches. What cannot be sent stays in
 * the counters, and the next report covers a longer time. What is in force for buckets is asked for
 * before there is anything to report. Confined to the event loop.
 */
final class RelayReporter implements Reporting {

  private final Gates gates;
  private final BucketNumbers numbers;
  private final ReportSeries series;
  private final long usualIntervalNanos;

  private @Nullable Outlet outlet;
  private long uncoveredNanos;
  private long leastCoveredNanos;
  private boolean waitsForOutlet;
  private boolean asks;

  RelayReporter(Gates gates, BucketNumbers numbers, long usualIntervalNanos) {
    this.gates = gates;
    this.numbers = numbers;
    this.usualIntervalNanos = usualIntervalNanos;
    series = new ReportSeries(gates, numbers, 0);
  }

  /** So much more time has been counted in full. */
  void report(long elapsedNanos) {
    uncoveredNanos = Math.min(uncoveredNanos + elapsedNanos, TimeUnit.HOURS.toNanos(1));
    if (uncoveredNanos >= leastCoveredNanos) {
      writeIfReady();
    }
  }

  /** Asks what is in force for the buckets that the stream does not know, as soon as it can. */
  void ask() {
    Outlet to = outlet;
    asks = to == null || !to.isReady();
    if (to != null && !asks) {
      for (Ask ask = series.ask(); ask != null; ask = series.ask()) {
        to.send(ask);
      }
    }
  }

  private void writeIfReady() {
    Outlet to = outlet;
    waitsForOutlet = to == null || !to.isReady();
    if (to != null && !waitsForOutlet) {
      write(to);
    }
  }

  private void write(Outlet to) {
    boolean urgent = leastCoveredNanos == 0 && hasMoved();
    long elapsedNanos = uncoveredNanos;
    uncoveredNanos = 0;
    to.send(series.next(elapsedNanos, urgent));
  }

  private boolean hasMoved() {
    for (ServiceGates service : gates.services()) {
      for (Bucket bucket : service.buckets()) {
        if (bucket.demand().hasMoved(bucket.offered(), uncoveredNanos)) {
          return true;
        }
      }
    }
    return false;
  }

  @Override
  public void start() {}

  @Override
  public void stop() {}

  @Override
  public void attach(Outlet stream) {
    outlet = stream;
    numbers.clear();
    leastCoveredNanos = 0;
    waitsForOutlet = uncoveredNanos > 0;
    asks = true;
    ready();
  }

  @Override
  public void detach() {
    outlet = null;
  }

  @Override
  public void ready() {
    if (waitsForOutlet && uncoveredNanos > 0) {
      writeIfReady();
    }
    if (asks) {
      ask();
    }
  }

  @Override
  public void slowDown(long atLeastNanos) {
    leastCoveredNanos = atLeastNanos <= usualIntervalNanos ? 0 : atLeastNanos;
  }

  @Override
  public long intervalNanos() {
    return Math.max(usualIntervalNanos, leastCoveredNanos);
  }

  @Override
  public long nanosToNextReport() {
    return 0;
  }

  /** What was counted without the end of a stretch of time goes nowhere, as its rate is unknown. */
  @Override
  public void reportLast() {
    if (outlet != null && uncoveredNanos > 0) {
      write(outlet);
    }
  }
}
