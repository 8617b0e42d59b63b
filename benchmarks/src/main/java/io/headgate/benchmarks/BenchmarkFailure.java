package io.headgate.benchmarks;

/** A benchmark that could not be measured; the message is for the person who started it. */
public final class BenchmarkFailure extends RuntimeException {

  private static final long serialVersionUID = 1;

  public BenchmarkFailure(String message) {
    super(message);
  }

  public BenchmarkFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
