package io.headgate.simulator.run;

import io.headgate.core.rule.Rule;
import io.headgate.core.rule.RuleOptions;
import io.headgate.core.rule.RuleSet;
import io.headgate.core.shed.Level;
import io.headgate.simulator.result.Result;
import io.headgate.simulator.scenario.Scenario;
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
  private final long[] requestsOfClass = new long[Level.CLASSES];
  private final long[] passedOfClass = new long[Level.CLASSES];
  private final int classOfUnnamed;
  private long requests;
  private long firstAttemptsPassed;
  private long retriesPassed;

  Recorder(Scenario scenario) {
    int bins = (int) Math.ceil(scenario.seconds() / BIN_SECONDS) + 1;
    classOfUnnamed = classOfUnnamed(scenario);
    firstAttempts = new long[bins];
    offered = new long[bins];
    admitted = new long[bins];
    limit = new double[bins];
    withinLimit = new boolean[bins];
  }

  /** The class that the watched rule gives to requests that carry none. */
  private static int classOfUnnamed(Scenario scenario) {
    Rule watched =
        RuleSet.of(1, scenario.rules()).rule(scenario.watch().service(), scenario.watch().rule());
    return (watched == null ? RuleOptions.DEFAULT : watched.options()).criticality();
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

  /** Counts what another one has counted; requests of the steady time excepted. */
  void add(Recorder other) {
    for (int bin = 0; bin < offered.length; bin++) {
      count(bin, other.firstAttempts[bin], other.offered[bin], other.admitted[bin]);
    }
  }

  /** Counts what was made evenly between two times. */
  void spread(double fromSeconds, double toSeconds, long offered, long admitted) {
    long offeredSoFar = 0;
    long admittedSoFar = 0;
    int last = bin(toSeconds);
    for (int bin = bin(fromSeconds); bin <= last && bin < this.offered.length; bin++) {
      double part = Math.min(1, (start(bin + 1) - fromSeconds) / (toSeconds - fromSeconds));
      long offeredUntil = bin == last ? offered : Math.round(part * offered);
      long admittedUntil = bin == last ? admitted : Math.round(part * admitted);
      count(
          bin,
          offeredUntil - offeredSoFar,
          offeredUntil - offeredSoFar,
          admittedUntil - admittedSoFar);
      offeredSoFar = offeredUntil;
      admittedSoFar = admittedUntil;
    }
  }

  /** Notes what became of one request of the steady time, after all its attempts. */
  void request(int criticality, boolean passed, int attempts) {
    requests++;
    firstAttemptsPassed += passed && attempts == 1 ? 1 : 0;
    retriesPassed += passed && attempts > 1 ? 1 : 0;
    int row = criticality < 0 ? classOfUnnamed : criticality;
    requestsOfClass[row]++;
    passedOfClass[row] += passed ? 1 : 0;
  }

  double firstAttemptSuccess() {
    return requests == 0 ? 1 : (double) firstAttemptsPassed / requests;
  }

  double uniqueSuccess() {
    return requests == 0 ? 1 : (double) (firstAttemptsPassed + retriesPassed) / requests;
  }

  double retriesPassedPerRequest() {
    return requests == 0 ? 0 : (double) retriesPassed / requests;
  }

  /** The share of a class's requests that passed; not a number where there was none. */
  double successOfClass(int criticality) {
    return (double) passedOfClass[criticality] / requestsOfClass[criticality];
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

  /** All of it, in points that a chart can show. */
  Result.Series series() {
    int bins = bins();
    Result.Series series =
        new Result.Series(
            new double[bins],
            new double[bins],
            new double[bins],
            new double[bins],
            new double[bins]);
    for (int bin = 0; bin < bins; bin++) {
      double offeredPerSecond = offeredPerSecond(bin, bin + 1);
      double admittedPerSecond = admittedPerSecond(bin, bin + 1);
      series.seconds()[bin] = start(bin) + BIN_SECONDS / 2;
      series.offeredPerSecond()[bin] = offeredPerSecond;
      series.admittedPerSecond()[bin] = admittedPerSecond;
      series.limitPerSecond()[bin] = limit[bin];
      series.dropRatio()[bin] = offeredPerSecond > 0 ? 1 - admittedPerSecond / offeredPerSecond : 0;
    }
    return series;
  }
}
