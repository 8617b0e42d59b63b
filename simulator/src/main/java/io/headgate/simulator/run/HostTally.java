package io.headgate.simulator.run;

/** What became of requests in the steady time. */
final class HostTally {

  private long offered;
  private long admitted;

  void count(long offered, long admitted) {
    this.offered += offered;
    this.admitted += admitted;
  }

  long offered() {
    return offered;
  }

  long admitted() {
    return admitted;
  }

  double admittedShare() {
    return offered == 0 ? 1 : (double) admitted / offered;
  }
}
