package io.headgate.benchmarks.limiters;

import io.headgate.benchmarks.Benchmark;
import io.headgate.benchmarks.Effort;
import io.headgate.benchmarks.Figure;
import io.headgate.benchmarks.process.RedisProcess;
import java.util.List;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/** Decisions that are counted in a real Redis on this machine, with one, 16 and 64 callers. */
public final class RedisBenchmark implements Benchmark {

  private static final double NANOS_PER_MICRO = 1e3;
  private static final double NANOS_PER_SECOND = 1e9;

  @Override
  public String name() {
    return "redis";
  }

  @Override
  public String summary() {
    return "decisions counted in Redis, beside Bucket4j and the bare script";
  }

  @Override
  public void run(Effort effort, Consumer<Figure> figures, Consumer<String> progress)
      throws InterruptedException {
    int rounds = effort == Effort.FULL ? 5 : 2;
    long nanos = effort == Effort.FULL ? 3_000_000_000L : 1_000_000_000L;
    try (RedisProcess redis = RedisProcess.start();
        RedisSubjects subjects = new RedisSubjects(redis.uri())) {
      for (int callers : new int[] {1, 16, 64}) {
        measure(subjects.all(), callers, rounds, nanos, figures, progress);
      }
      subjects.memory().forEach(figures);
    }
  }

  /** The subjects take turns, so that a slow moment of the machine meets all of them. */
  private static void measure(
      List<RedisSubjects.Subject> subjects,
      int callers,
      int rounds,
      long nanos,
      Consumer<Figure> figures,
      Consumer<String> progress)
      throws InterruptedException {
    Histogram[] times = new Histogram[subjects.size()];
    long[] spent = new long[subjects.size()];
    for (int round = 0; round <= rounds; round++) {
      for (int i = 0; i < subjects.size(); i++) {
        Histogram histogram = new Histogram(3);
        long took = Callers.run(callers, nanos, subjects.get(i).decision(), histogram);
        if (round == 0) {
          times[i] = new Histogram(3); // the first is a warm-up
        } else {
          times[i].add(histogram);
          spent[i] += took;
        }
      }
    }
    String scenario = "one-key/" + callers + (callers == 1 ? "-caller" : "-callers");
    for (int i = 0; i < subjects.size(); i++) {
      String subject = subjects.get(i).name();
      double perSecond = times[i].getTotalCount() * NANOS_PER_SECOND / spent[i];
      figures.accept(new Figure("redis", scenario, subject, "throughput", perSecond, null, "op/s"));
      figures.accept(percentile(scenario, subject, times[i], 50));
      figures.accept(percentile(scenario, subject, times[i], 99));
      progress.accept(scenario + " " + subject + " " + Math.round(perSecond) + " op/s");
    }
  }

  private static Figure percentile(
      String scenario, String subject, Histogram times, int percentile) {
    double micros = times.getValueAtPercentile(percentile) / NANOS_PER_MICRO;
    return new Figure("redis", scenario, subject, "p" + percentile, micros, null, "us");
  }
}
