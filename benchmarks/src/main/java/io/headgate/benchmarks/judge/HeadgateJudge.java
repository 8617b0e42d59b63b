package io.headgate.benchmarks.judge;

import io.headgate.agent.Gate;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A cached gate of an agent that is connected and reports each second. */
public class HeadgateJudge {

  /** An agent and a gate of it. */
  @State(Scope.Benchmark)
  public abstract static class Gated {

    private final int buckets;
    private final double dropRatio;
    private SteeredAgent agent;
    private Gate gate;

    Gated(int buckets, double dropRatio) {
      this.buckets = buckets;
      this.dropRatio = dropRatio;
    }

    /** Starts the agent. */
    @Setup
    public void start() throws InterruptedException {
      agent = SteeredAgent.start(SteeredAgent.CALLER, buckets, dropRatio);
      gate = agent.agent().gate(SteeredAgent.SERVICE, SteeredAgent.CALLER, SteeredAgent.PROCEDURE);
    }

    /** Ends the agent. */
    @TearDown
    public void end() {
      agent.close();
    }
  }

  /** One bucket, under its limit. */
  public static class Unlimited extends Gated {

    /** For JMH. */
    public Unlimited() {
      super(1, -1);
    }
  }

  /** One bucket that drops a share. */
  public static class Limited extends Gated {

    /** For JMH. */
    public Limited() {
      super(1, Pace.DROP_SHARE);
    }
  }

  /** A zone's, a region's and a global bucket, under their limits. */
  public static class ThreeBuckets extends Gated {

    /** For JMH. */
    public ThreeBuckets() {
      super(3, -1);
    }
  }

  /** Everything passes. */
  @Benchmark
  public void noDirective(Unlimited state, Answers answers, Pace pace) {
    answers.add(((Gated) state).gate.judge().admitted());
  }

  /** A third is dropped. */
  @Benchmark
  public void directive(Limited state, Answers answers, Pace pace) {
    answers.add(((Gated) state).gate.judge().admitted());
  }

  /** Three buckets, one after the other. */
  @Benchmark
  public void chainOf3(ThreeBuckets state, Answers answers, Pace pace) {
    answers.add(((Gated) state).gate.judge().admitted());
  }
}
