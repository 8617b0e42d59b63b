package io.headgate.agent;

import io.headgate.protocol.v1.Ask;
import io.headgate.protocol.v1.Report;
import org.jspecify.annotations.Nullable;

/** Makes the reports of one process, one after the other. Confined to the event loop. */
final class ReportSeries {

  /** Receivers refuse what covers no time; it matters for the last report alone. */
  private static final long LEAST_ELAPSED_NANOS = 1_000_000;

  private final Gates gates;
  private final BucketNumbers numbers;
  private final double sparseBelowPerSecond;
  private long sequence;

  ReportSeries(Gates gates, BucketNumbers numbers, double sparseBelowPerSecond) {
    this.gates = gates;
    this.numbers = numbers;
    this.sparseBelowPerSecond = sparseBelowPerSecond;
  }

  /**
   * Asks what is in force for the buckets that the stream does not know; null if there are none.
   */
  @Nullable Ask ask() {
    Ask.Builder ask = Ask.newBuilder();
    for (ServiceGates service : gates.services()) {
      for (Bucket bucket : service.buckets()) {
        if (bucket.number() == 0 && ask.getDefineCount() < ReportWriter.MAX_DEFINITIONS) {
          ask.addDefine(numbers.define(bucket));
        }
      }
    }
    return ask.getDefineCount() == 0 ? null : ask.build();
  }

  /** What all buckets counted since the report before. */
  Report.Builder next(long elapsedNanos, boolean urgent) {
    ReportWriter writer =
        new ReportWriter(
            Report.newBuilder()
                .setSequence(++sequence)
                .setElapsedNanos(Math.max(LEAST_ELAPSED_NANOS, elapsedNanos))
                .setUrgent(urgent),
            numbers,
            sparseBelowPerSecond);
    for (ServiceGates service : gates.services()) {
      for (Bucket bucket : service.buckets()) {
        writer.add(bucket);
      }
    }
    return writer.finish();
  }
}
