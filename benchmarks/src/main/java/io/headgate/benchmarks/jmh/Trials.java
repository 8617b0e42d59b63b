package io.headgate.benchmarks.jmh;

import io.headgate.benchmarks.BenchmarkFailure;
import io.headgate.benchmarks.Effort;
import io.headgate.benchmarks.Figure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Measures trials with JMH, one after the other. */
public final class Trials {

  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private Trials() {}

  /** Measures all trials; figures and progress come as soon as they are there. */
  public static void run(
      List<Trial> trials, Effort effort, Consumer<Figure> figures, Consumer<String> progress) {
    int done = 0;
    for (Trial trial : trials) {
      done++;
      RunResult result = measure(trial, effort);
      Result<?> time = result.getPrimaryResult();
      progress.accept(
          String.format(
              Locale.ROOT,
              "%2d/%d  %-24s %-13s %10.2f ns/op",
              done,
              trials.size(),
              trial.scenario(),
              trial.subject(),
              time.getScore()));
      figures(trial, result).forEach(figures);
    }
  }

  private static RunResult measure(Trial trial, Effort effort) {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include(
                "^" + trial.home().getName().replace(".", "\\.") + "\\." + trial.method() + "$")
            .threads(trial.threads())
            .mode(Mode.AverageTime)
            .timeUnit(TimeUnit.NANOSECONDS)
            .addProfiler(GCProfiler.class)
            .jvmArgsAppend("-Xms256m", "-Xmx256m")
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT);
    trial.parameters().forEach(options::param);
    switch (effort) {
      case QUICK -> iterations(options, 1, 2, 3, 200);
      case FULL -> iterations(options, 2, 3, 5, 500);
    }
    try {
      // What a forked process says is not a result, so it must not go where results go.
      return new Runner(
              options.build(),
              OutputFormatFactory.createFormatInstance(System.err, VerboseMode.SILENT))
          .runSingle();
    } catch (RunnerException e) {
      throw new BenchmarkFailure(
          trial.benchmark()
              + ": "
              + trial.subject()
              + ", "
              + trial.scenario()
              + ": "
              + e.getMessage(),
          e);
    }
  }

  private static void iterations(
      ChainedOptionsBuilder options, int forks, int warmups, int measurements, long millis) {
    options
        .forks(forks)
        .warmupIterations(warmups)
        .warmupTime(TimeValue.milliseconds(millis))
        .measurementIterations(measurements)
        .measurementTime(TimeValue.milliseconds(millis));
  }

  private static List<Figure> figures(Trial trial, RunResult result) {
    Map<String, ? extends Result<?>> secondary = secondary(result);
    List<Figure> figures = new ArrayList<>();
    Result<?> time = result.getPrimaryResult();
    figures.add(trial.figure("time", time.getScore(), time.getScoreError(), "ns/op"));
    if (trial.threads() > 1) {
      figures.add(throughput(trial, time));
    }
    @Nullable Result<?> allocation = secondary.get("gc.alloc.rate.norm");
    if (allocation != null) {
      figures.add(
          trial.figure(
              "allocation",
              bytes(allocation.getScore()),
              bytes(allocation.getScoreError()),
              "B/op"));
    }
    @Nullable Result<?> admitted = secondary.get("admitted");
    @Nullable Result<?> dropped = secondary.get("dropped");
    if (admitted != null && dropped != null && dropped.getScore() > 0) {
      double all = admitted.getScore() + dropped.getScore();
      figures.add(trial.figure("drop-share", dropped.getScore() / all, Double.NaN, "ratio"));
    }
    return figures;
  }

  /** Of all threads together. */
  private static Figure throughput(Trial trial, Result<?> time) {
    double perSecond = trial.threads() * NANOS_PER_SECOND / time.getScore();
    double error = perSecond * time.getScoreError() / time.getScore();
    return trial.figure("throughput", perSecond, error, "op/s");
  }

  @SuppressWarnings("rawtypes") // JMH's own signature.
  private static Map<String, ? extends Result<?>> secondary(RunResult result) {
    Map<String, Result<?>> results = new HashMap<>();
    for (Map.Entry<String, Result> each : result.getSecondaryResults().entrySet()) {
      results.put(each.getKey(), each.getValue());
    }
    return results;
  }

  /** In thousandths of a byte: less than one is what the profiler itself allocates. */
  private static double bytes(double bytes) {
    return Math.rint(bytes * 1000) / 1000;
  }
}
