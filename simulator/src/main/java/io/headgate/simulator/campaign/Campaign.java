package io.headgate.simulator.campaign;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.DoubleConsumer;

/** Runs many random worlds and collects where an invariant did not hold. */
public final class Campaign {

  private Campaign() {}

  /**
   * Runs the worlds of seeds that follow one another, each by itself on one of {@code threads}.
   *
   * @param first the first seed
   * @param seeds how many
   * @param progress is told from time to time how much is done, from 0 to 1, by the calling thread
   * @throws InterruptedException if the calling thread is interrupted
   */
  public static CampaignResult run(long first, int seeds, int threads, DoubleConsumer progress)
      throws InterruptedException {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<SeedRun.Outcome>> runs = new ArrayList<>();
      for (int i = 0; i < seeds; i++) {
        long seed = first + i;
        runs.add(executor.submit(() -> SeedRun.run(seed, moment -> {})));
      }
      List<Failure> failures = new ArrayList<>();
      List<SeedRun.Outcome> outcomes = new ArrayList<>();
      for (int i = 0; i < seeds; i++) {
        progress.accept((double) i / seeds);
        SeedRun.Outcome outcome = resultOf(runs.get(i), first + i);
        failures.addAll(outcome.failures());
        outcomes.add(outcome);
      }
      progress.accept(1);
      return new CampaignResult(seeds, failures.size(), failures, judged(outcomes));
    } finally {
      executor.shutdownNow();
    }
  }

  private static List<CampaignResult.Judged> judged(List<SeedRun.Outcome> outcomes) {
    List<CampaignResult.Judged> judged = new ArrayList<>();
    for (Invariant invariant : Invariant.ALL) {
      int worlds = 0;
      long seconds = 0;
      for (SeedRun.Outcome outcome : outcomes) {
        int here = outcome.judged().getOrDefault(invariant, 0);
        worlds += here > 0 ? 1 : 0;
        seconds += here;
      }
      judged.add(new CampaignResult.Judged(invariant.name(), worlds, seconds));
    }
    return judged;
  }

  private static SeedRun.Outcome resultOf(Future<SeedRun.Outcome> run, long seed)
      throws InterruptedException {
    try {
      return run.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the world of seed " + seed + " broke down", e.getCause());
    }
  }

  /** Runs the world of a seed and tells, in lines, of every second in which something failed. */
  public static List<String> trace(long seed) {
    List<String> lines = new ArrayList<>();
    SeedRun.run(seed, moment -> Description.addFailures(moment, lines));
    return lines;
  }

  /** Describes the world of a seed in lines: its places, rules, demand and faults. */
  public static List<String> describe(long seed) {
    return Description.of(RandomWorld.draw(seed));
  }
}
