package io.headgate.simulator.campaign;

import io.headgate.simulator.run.ScenarioRun;
import io.headgate.simulator.run.Sight;
import io.headgate.simulator.scenario.Scenario;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Runs one world from its beginning to its end, and judges each second of it. */
final class SeedRun {

  private static final int LOOKS_PER_SECOND = 10;

  private SeedRun() {}

  /**
   * Runs the world of a seed.
   *
   * @param seconds is given each second, for those who want to see more than what failed
   */
  static Outcome run(long seed, Consumer<Moment> seconds) {
    Scenario scenario = RandomWorld.draw(seed);
    ScenarioRun run = ScenarioRun.begin(scenario, seed);
    Watching watching = new Watching(scenario, run.look());
    Map<Invariant, Failure> failures = new LinkedHashMap<>();
    Map<Invariant, Integer> judged = new HashMap<>();
    for (int second = 1; second <= scenario.seconds(); second++) {
      for (int look = 1; look <= LOOKS_PER_SECOND; look++) {
        double now = second - 1 + (double) look / LOOKS_PER_SECOND;
        run.runUntil(now);
        watching.zones(run.zones(), now);
      }
      Sight sight = run.look();
      Moment moment = watching.second(sight);
      seconds.accept(moment);
      judge(seed, moment, failures);
      for (Invariant invariant : Invariant.ALL) {
        judged.merge(invariant, invariant.isJudged(moment) ? 1 : 0, Integer::sum);
      }
    }
    return new Outcome(List.copyOf(failures.values()), judged);
  }

  /**
   * What came of it.
   *
   * @param failures for each invariant that did not hold, the first second in which it did not
   * @param judged for each invariant in how many seconds there was something to judge by it
   */
  record Outcome(List<Failure> failures, Map<Invariant, Integer> judged) {}

  private static void judge(long seed, Moment moment, Map<Invariant, Failure> failures) {
    for (Invariant invariant : Invariant.ALL) {
      List<String> violations = invariant.violations(moment);
      if (!violations.isEmpty()) {
        Failure first =
            failures.getOrDefault(
                invariant,
                new Failure(seed, invariant.name(), moment.seconds(), 0, violations.get(0)));
        failures.put(
            invariant,
            new Failure(
                seed, first.invariant(), first.atSeconds(), first.seconds() + 1, first.what()));
      }
    }
  }
}
