package io.headgate.benchmarks.judge;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Counts what a limiter said to one thread, so that no answer can be optimised away. It does so
 * without a branch: what a caller loses on a bet about the answer is not the limiter's.
 */
@AuxCounters(AuxCounters.Type.EVENTS)
@State(Scope.Thread)
public class Answers {

  /** Requests that might go on. */
  public long admitted;

  /** Requests that might not. */
  public long dropped;

  void add(boolean admit) {
    int one = admit ? 1 : 0;
    admitted += one;
    dropped += 1 - one;
  }

  /** Tells the limiter how fast it was asked. */
  @TearDown(Level.Iteration)
  public void tell(Pace pace) {
    pace.add(admitted + dropped);
  }
}
