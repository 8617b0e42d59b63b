package io.headgate.simulator.run;

import java.util.Arrays;

/** Counts what happens to the watched traffic, in bins of time. */
final class Recorder {

  /** The length of a bin. */
  static final double BIN_SECONDS = 0.05;

  private final long[] firstAttempts;
  private final long[] offered;
  private final long[] admitted;
  private final double[] limit;
  private final boolean[] withinLimit;

  Recorder(double seconds) {
    int bins = (int) Math.ceil(seconds / BIN_SECONDS) + 1;
    firstAttempts = new long[bins];
    offered = new long[bins];
    admitted = new long[bins];
    limit = new double[bins];
    withinLimit = new boolean[bins];
  }

  int bins() {
    return offered.length - 1;
  }

  static int bin(double seconds) {
    return (int) Math.floor(seconds / BIN_SECONDS + 1e-9);
  }

  static double start(int bin) {
    return bin * BIN_SECONDS;
  }

  void count(int bin, long firstAttempts, long offered, long admitted) {
    this.firstAttempts[bin] += firstAttempts;
    this.offered[bin] += offered;
    this.admitted[bin] += admitted;
  }

  /** Notes the limit and the true demand, which the loop has to find out. */
  void truth(int bin, double limitPerSecond, double demandPerSecond) {
    limit[bin] = limitPerSecond;
    withinLimit[bin] = demandPerSecond <= limitPerSecond;
  }

  boolean isWithinLimit(int bin) {
    return withinLimit[bin];
  }

  double limitPerSecond(int bin) {
    return limit[bin];
  }

  double firstAttemptsPerSecond(int from, int to) {
    return perSecond(firstAttempts, from, to);
  }

  double offeredPerSecond(int from, int to) {
    return perSecond(offered, from, to);
  }

  double admittedPerSecond(int from, int to) {
    return perSecond(admitted, from, to);
  }

  long offered(int from, int to) {
    return Arrays.stream(offered, from, to).sum();
  }

  long admitted(int from, int to) {
    return Arrays.stream(admitted, from, to).sum();
  }

  private static double perSecond(long[] counts, int from, int to) {
    return Arrays.stream(counts, from, to).sum() / ((to - from) * BIN_SECONDS);
  }
}
