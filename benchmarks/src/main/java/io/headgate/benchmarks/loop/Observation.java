package io.headgate.benchmarks.loop;

import io.headgate.benchmarks.BenchmarkFailure;
import io.headgate.benchmarks.Figure;
import io.headgate.benchmarks.Series;
import io.headgate.benchmarks.process.ChildProcess;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Watches a fleet and the processes that serve it for some seconds, and makes figures of that. */
final class Observation {

  private static final String SCENARIO =
      "%d-agents-%d-buckets".formatted(Shape.AGENTS, Shape.BUCKETS);
  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final double MICROS_PER_SECOND = TimeUnit.SECONDS.toMicros(1);
  private static final double BYTES_PER_MEGABYTE = 1e6;

  /** Fewer times than this are too few for any percentile. */
  private static final int LEAST_REACTIONS = 20;

  /** Agents that may be between two connections at the end. */
  private static final int MOST_LOST = Shape.AGENTS / 100;

  /** What all series are made from. */
  private record Sample(long nanos, long cpuNanos, Traffic.Totals traffic) {}

  private final String subject;
  private final Fleet fleet;
  private final ChildProcess aggregator;
  private final Map<String, Series> series = new LinkedHashMap<>();
  private int lost;

  /** Nothing seen yet. */
  Observation(String subject, Fleet fleet, ChildProcess aggregator) {
    this.subject = subject;
    this.fleet = fleet;
    this.aggregator = aggregator;
  }

  /** Watches; what came before does not count. */
  void watch(int seconds) throws InterruptedException {
    fleet.beginProbing();
    int channels = fleet.traffic().channels();
    Sample last = sample();
    for (int second = 0; second < seconds; second++) {
      TimeUnit.SECONDS.sleep(1);
      Sample now = sample();
      add(last, now);
      last = now;
    }
    lost = fleet.traffic().channels() - channels;
    long ready = fleet.readyAgents();
    if (ready < Shape.AGENTS - MOST_LOST) {
      throw new BenchmarkFailure(
          subject + ": " + ready + " agents are connected (expected: " + Shape.AGENTS + ")");
    }
  }

  /** How often an agent gave its aggregator up and connected anew while it was watched. */
  int lost() {
    return lost;
  }

  private Sample sample() {
    return new Sample(System.nanoTime(), aggregator.cpuNanos(), fleet.traffic().totals());
  }

  private void add(Sample from, Sample to) {
    double seconds = (to.nanos - from.nanos) / NANOS_PER_SECOND;
    double cpuSeconds = (to.cpuNanos - from.cpuNanos) / NANOS_PER_SECOND;
    long messagesUp = to.traffic.messagesUp() - from.traffic.messagesUp();
    add("cpu", cpuSeconds / seconds);
    add("cpu-per-report", cpuSeconds * MICROS_PER_SECOND / Math.max(1, messagesUp));
    add("messages-up", messagesUp / seconds);
    add("messages-down", (to.traffic.messagesDown() - from.traffic.messagesDown()) / seconds);
    add("bytes-up", (to.traffic.bytesUp() - from.traffic.bytesUp()) / seconds);
    add("bytes-down", (to.traffic.bytesDown() - from.traffic.bytesDown()) / seconds);
  }

  private void add(String metric, double value) {
    series.computeIfAbsent(metric, key -> new Series()).add(value);
  }

  /** What the aggregator cost. */
  List<Figure> costs() {
    List<Figure> figures = new ArrayList<>();
    series.forEach(
        (metric, samples) ->
            figures.add(figure(metric, samples.mean(), samples.error(), unit(metric))));
    Long resident = aggregator.residentBytes();
    if (resident != null) {
      figures.add(figure("memory", resident / BYTES_PER_MEGABYTE, null, "MB"));
    }
    return figures;
  }

  /** The times from a report to the directive that starts dropping, and to that which stops it. */
  List<Figure> reactions() {
    List<Figure> figures = new ArrayList<>();
    addReactions("report-to-directive", true, figures);
    addReactions("report-to-clear", false, figures);
    return figures;
  }

  private void addReactions(String metric, boolean drops, List<Figure> figures) {
    Reactions reactions = fleet.reactions();
    long count = reactions.count(drops);
    if (count < LEAST_REACTIONS) {
      throw new BenchmarkFailure(
          subject + ": " + metric + " " + count + " times (expected: " + LEAST_REACTIONS + ")");
    }
    figures.add(figure(metric + "-p50", reactions.percentileMillis(drops, 50), null, "ms"));
    figures.add(figure(metric + "-p99", reactions.percentileMillis(drops, 99), null, "ms"));
    figures.add(figure(metric + "-count", count, null, "reports"));
  }

  private Figure figure(String metric, double value, @Nullable Double error, String unit) {
    return new Figure("loop", SCENARIO, subject, metric, value, error, unit);
  }

  private static String unit(String metric) {
    return switch (metric) {
      case "cpu" -> "cores";
      case "cpu-per-report" -> "us";
      case "messages-up", "messages-down" -> "1/s";
      default -> "B/s";
    };
  }
}
