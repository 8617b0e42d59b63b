package io.headgate.benchmarks.limiters;

import io.headgate.benchmarks.BenchmarkFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;

/** Threads that each ask again as soon as they have their answer. */
final class Callers {

  private Callers() {}

  /** Asks for a time; how long it took in the end, in nanoseconds. */
  static long run(int callers, long nanos, BooleanSupplier decision, Histogram times)
      throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(callers);
    long begun = System.nanoTime();
    try {
      List<Callable<Histogram>> tasks = new ArrayList<>();
      for (int caller = 0; caller < callers; caller++) {
        tasks.add(() -> ask(decision, begun + nanos));
      }
      for (Future<Histogram> done : threads.invokeAll(tasks)) {
        times.add(done.get());
      }
      return System.nanoTime() - begun;
    } catch (ExecutionException e) {
      throw new BenchmarkFailure("redis: " + e.getCause(), e);
    } finally {
      threads.shutdownNow();
    }
  }

  private static Histogram ask(BooleanSupplier decision, long end) {
    Histogram times = new Histogram(3);
    long before = System.nanoTime();
    while (before < end) {
      if (!decision.getAsBoolean()) {
        throw new BenchmarkFailure("redis: a request was denied (expected: no limit is reached)");
      }
      long after = System.nanoTime();
      times.recordValue(after - before);
      before = after;
    }
    return times;
  }
}
