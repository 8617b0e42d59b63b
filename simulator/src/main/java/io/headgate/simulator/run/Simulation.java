package io.headgate.simulator.run;

import io.headgate.simulator.result.Result;
import io.headgate.simulator.scenario.Scenario;
import io.headgate.simulator.world.Network;
import io.headgate.simulator.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleConsumer;

/** Runs scenarios. */
public final class Simulation {

  /** How often progress is told, in virtual time. */
  private static final double PROGRESS_SECONDS = 0.5;

  private Simulation() {}

  /**
   * Runs a scenario to its end; the same scenario and seed give the same result.
   *
   * @param progress is told from time to time how much is done, from 0 to 1
   */
  public static Result run(Scenario scenario, long seed, DoubleConsumer progress) {
    World world = new World(seed);
    Network network = new Network(world, scenario.weather());
    Recorder recorder = new Recorder(scenario.seconds());
    Tiers tiers = new Tiers(scenario, world, network);
    Fleet fleet = new Fleet(scenario, world, network, tiers, recorder);
    tiers.start();
    fleet.start();
    new Happenings(scenario, world, network, tiers, fleet).schedule();
    for (double seconds = 0; seconds < scenario.seconds(); seconds += PROGRESS_SECONDS) {
      progress.accept(seconds / scenario.seconds());
      world.runUntil(Math.round(Math.min(scenario.seconds(), seconds + PROGRESS_SECONDS) * 1e9));
    }
    progress.accept(1);
    List<HostTally> tallies = new ArrayList<>();
    for (Host host : fleet.hosts()) {
      for (Flow flow : host.flows()) {
        if (flow.isWatched()) {
          tallies.add(flow.tally());
        }
      }
    }
    Map<String, Double> figures =
        new Figures(scenario, recorder)
            .compute(tallies, fleet.reports(), fleet.reportBytes(), fleet.hosts().size());
    List<Result.Assertion> assertions = judge(scenario, figures);
    return new Result(
        scenario.name(),
        seed,
        assertions.stream().allMatch(Result.Assertion::passed),
        assertions,
        figures,
        recorder.series());
  }

  private static List<Result.Assertion> judge(Scenario scenario, Map<String, Double> figures) {
    List<Result.Assertion> assertions = new ArrayList<>();
    for (Scenario.Expectation expectation : scenario.expectations()) {
      double found = figures.getOrDefault(expectation.figure(), Double.NaN);
      assertions.add(
          new Result.Assertion(
              expectation.figure(), expectation.isMet(found), found, expectation.expected()));
    }
    return assertions;
  }
}
