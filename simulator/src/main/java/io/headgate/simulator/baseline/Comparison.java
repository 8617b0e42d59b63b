package io.headgate.simulator.baseline;

import io.headgate.simulator.run.Simulation;
import io.headgate.simulator.scenario.Catalogue;
import io.headgate.simulator.scenario.Scenario;
import io.headgate.simulator.world.Weather;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Headgate and the baselines under the same traffic and the same network.
 *
 * @param seed what all chance followed from
 * @param rows one for each situation and subject
 */
public record Comparison(long seed, List<Row> rows) {

  /** Scenarios of the catalogue, in the order in which they are shown. */
  private static final List<String> SITUATIONS =
      List.of("step", "unequal-hosts", "many-callers", "host-bursts");

  /** As scenarios have it unless they say otherwise, and uneven, so that quantiles differ. */
  private static final Weather WEATHER = new Weather(20_000_000, 10_000_000, 0, 0, 0);

  /** What is admitted must be under the bound for so long, which the end of a run cannot show. */
  private static final double SUSTAINED_SECONDS = 1;

  /**
   * What one subject did in one situation.
   *
   * @param situation the scenario
   * @param subject what limited
   * @param reactionSeconds from the step until no more than 1.1 times the limit is admitted; null
   *     if that did not happen
   * @param excessLimitSeconds what was admitted beyond the limit until then, in seconds of the
   *     limit
   * @param admittedToLimit what was admitted in the steady time, by the limit
   * @param jainIndex how alike hosts were treated, 1 at best
   * @param admittedShareSpread the share of its requests that passed for the host treated best,
   *     less that of the host treated worst
   * @param falseDropRatio drops while demand was within the limit, of what was offered then
   * @param messagesPerHostSecond what hosts sent
   * @param addedSecondsMedian how long a request waited for its judgement
   * @param addedSecondsP99 how long the slowest hundredth waited at least
   */
  public record Row(
      String situation,
      String subject,
      @Nullable Double reactionSeconds,
      double excessLimitSeconds,
      double admittedToLimit,
      double jainIndex,
      double admittedShareSpread,
      double falseDropRatio,
      double messagesPerHostSecond,
      double addedSecondsMedian,
      double addedSecondsP99) {}

  /** The scenarios that are run. */
  public static List<Scenario> situations() {
    return SITUATIONS.stream().map(Catalogue::get).toList();
  }

  /**
   * Runs all subjects in all situations, each by itself on one of as many threads as there are
   * processors; the same seed gives the same rows.
   *
   * @param progress is told from time to time how much is done, from 0 to 1, by the calling thread
   */
  public static Comparison run(long seed, DoubleConsumer progress) {
    ExecutorService executor =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    try {
      List<Future<Row>> runs = new ArrayList<>();
      for (Scenario situation : situations()) {
        for (Subject subject : Subject.values()) {
          runs.add(executor.submit(() -> row(situation, subject, seed, done -> {})));
        }
      }
      List<Row> rows = new ArrayList<>();
      for (Future<Row> run : runs) {
        progress.accept((double) rows.size() / runs.size());
        rows.add(run.get());
      }
      progress.accept(1);
      return new Comparison(seed, rows);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a simulation broke down: " + e.getCause(), e.getCause());
    } finally {
      executor.shutdownNow();
    }
  }

  static Row row(Scenario situation, Subject subject, long seed, DoubleConsumer progress) {
    Scenario scenario = situation.with(subject.loop(), WEATHER);
    Map<String, Double> figures =
        Simulation.run(scenario, seed, subject.factory(), progress).figures();
    return new Row(
        scenario.name(),
        subject.label(),
        reaction(figure(figures, "secondsToUnder110Percent"), scenario.watch()),
        figure(figures, "excessLimitSeconds"),
        figure(figures, "admittedToLimit"),
        figure(figures, "jainIndex"),
        figure(figures, "admittedShareSpread"),
        figure(figures, "falseDropRatio"),
        figure(figures, "messagesPerHostSecond"),
        figure(figures, "addedSecondsMedian"),
        figure(figures, "addedSecondsP99"));
  }

  private static @Nullable Double reaction(double seconds, Scenario.Watch watch) {
    double last = watch.untilSeconds() - watch.stepSeconds() - SUSTAINED_SECONDS;
    return seconds < last - 1e-9 ? seconds : null;
  }

  private static double figure(Map<String, Double> figures, String name) {
    return figures.getOrDefault(name, Double.NaN);
  }
}
