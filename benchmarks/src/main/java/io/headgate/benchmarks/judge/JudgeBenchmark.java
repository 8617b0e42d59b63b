package io.headgate.benchmarks.judge;

import io.headgate.benchmarks.Benchmark;
import io.headgate.benchmarks.Effort;
import io.headgate.benchmarks.Figure;
import io.headgate.benchmarks.jmh.Trials;
import java.util.function.Consumer;

/** The cost of one decision, measured with JMH. */
public final class JudgeBenchmark implements Benchmark {

  @Override
  public String name() {
    return "judge";
  }

  @Override
  public String summary() {
    return "the cost of one decision, beside Bucket4j, Resilience4j and Guava; and of a gRPC call";
  }

  @Override
  public void run(Effort effort, Consumer<Figure> figures, Consumer<String> progress) {
    Trials.run(JudgeTrials.all(effort), effort, figures, progress);
  }
}
