package io.headgate.benchmarks;

import java.util.function.Consumer;

/** Something that can be measured by name. */
public interface Benchmark {

  /** What it is called on the command line and in its figures. */
  String name();

  /** One line that says what it measures. */
  String summary();

  /**
   * Measures.
   *
   * @param effort how long it may take
   * @param figures takes each figure as soon as it is there
   * @param progress takes lines that say what is going on
   * @throws BenchmarkFailure if it could not be measured
   */
  void run(Effort effort, Consumer<Figure> figures, Consumer<String> progress)
      throws InterruptedException;
}
