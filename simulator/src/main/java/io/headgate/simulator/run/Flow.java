package io.headgate.simulator.run;

import io.headgate.simulator.scenario.Traffic;
import io.headgate.simulator.traffic.Poisson;
import java.util.List;
import java.util.random.RandomGenerator;

/** One host's calls of one procedure: draws arrivals and has each of them judged. */
final class Flow {

  private final Traffic traffic;
  private final double share;
  private final boolean watched;
  private final RandomGenerator random;
  private final HostTally tally;
  private Judge judge;
  private long waiting;
  private long offered;
  private long admitted;
  private int turn;

  Flow(Traffic traffic, double share, boolean watched, RandomGenerator random, Judge judge) {
    this.traffic = traffic;
    this.share = share;
    this.watched = watched;
    this.random = random;
    this.tally = new HostTally();
    this.judge = judge;
  }

  Traffic traffic() {
    return traffic;
  }

  boolean isWatched() {
    return watched;
  }

  HostTally tally() {
    return tally;
  }

  /** What was offered since the host started. */
  long offered() {
    return offered;
  }

  /** What of that passed. */
  long admitted() {
    return admitted;
  }

  /** The host started again; its new process asks anew. */
  void judge(Judge judge) {
    this.judge = judge;
    waiting = 0;
    offered = 0;
    admitted = 0;
  }

  /** The rate of first attempts at a time. */
  double perSecond(double seconds) {
    return traffic.rate().at(seconds) * share;
  }

  /** Lets a slice of time pass at a rate. */
  void arrive(double perSecond, double seconds) {
    waiting += Poisson.draw(perSecond * seconds, random);
  }

  /** Makes the calls that have arrived and not been made. */
  void pass(int bin, boolean steady, Recorder recorder) {
    long firstAttempts = waiting;
    waiting = 0;
    long offered = 0;
    long admitted = 0;
    for (long request = 0; request < firstAttempts; request++) {
      int criticality = nextCriticality();
      int attempt = 0;
      boolean passed = false;
      while (!passed && attempt < traffic.attempts()) {
        passed = judge.admits(criticality, traffic.marked() && attempt > 0);
        attempt++;
      }
      offered += attempt;
      admitted += passed ? 1 : 0;
      if (steady && watched) {
        recorder.request(criticality, passed, attempt);
      }
    }
    this.offered += offered;
    this.admitted += admitted;
    if (watched) {
      recorder.count(bin, firstAttempts, offered, admitted);
    }
    if (steady) {
      tally.count(offered, admitted);
    }
  }

  private int nextCriticality() {
    List<Integer> classes = traffic.criticality();
    if (classes.isEmpty()) {
      return -1;
    }
    turn = turn + 1 == classes.size() ? 0 : turn + 1;
    return classes.get(turn);
  }
}
