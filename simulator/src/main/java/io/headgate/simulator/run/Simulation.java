package io.headgate.simulator.run;

import io.headgate.simulator.result.Result;
import io.headgate.simulator.scenario.Scenario;
import io.headgate.simulator.world.Network;
import io.headgate.simulator.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleConsumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

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
    return run(scenario, seed, null, progress);
  }

  /**
   * Runs a scenario under another limiter. It meets the very requests that Headgate would meet.
   *
   * @param factory makes the limiter; null for Headgate as the scenario sets it
   */
  public static Result run(
      Scenario scenario, long seed, Limiter.@Nullable Factory factory, DoubleConsumer progress) {
    if (scenario.crowd() != null) {
      return new CrowdRun(scenario, scenario.crowd(), seed).run(seed, progress);
    }
    World world = new World(seed);
    Network network = new Network(world, scenario.weather());
    RandomGenerator traffic = world.random();
    Recorder recorder = new Recorder(scenario);
    DirectiveCount directives = new DirectiveCount();
    Tiers tiers = new Tiers(scenario, world, network, directives);
    Limiter limiter =
        factory == null
            ? new ControlLoop(scenario.loop(), world, network, tiers)
            : factory.make(world, network, tiers::watchedLimit);
    Fleet fleet = new Fleet(scenario, world, limiter, tiers, recorder, traffic);
    fleet.start();
    new Happenings(scenario, world, network, tiers, fleet).schedule();
    if (limiter instanceof ControlLoop loop) {
      Scenario.Watch watch = scenario.watch();
      world.after(
          nanos(watch.fromSeconds()), () -> loop.watchShadow(watch.service(), watch.rule()));
      world.after(nanos(watch.untilSeconds()), loop::endShadow);
    }
    world.after(nanos(scenario.watch().fromSeconds()), tiers::takeAggregatorLateSeconds);
    double[] lateSeconds = {0};
    world.after(
        nanos(Math.min(scenario.watch().untilSeconds(), scenario.seconds())),
        () -> lateSeconds[0] = tiers.takeAggregatorLateSeconds());
    for (double seconds = 0; seconds < scenario.seconds(); seconds += PROGRESS_SECONDS) {
      progress.accept(seconds / scenario.seconds());
      world.runUntil(Math.round(Math.min(scenario.seconds(), seconds + PROGRESS_SECONDS) * 1e9));
    }
    progress.accept(1);
    Map<String, Double> figures =
        new Figures(scenario, recorder).compute(fleet, limiter, directives, network);
    if (factory == null) {
      figures.put("aggregatorLateSecondsMost", lateSeconds[0]);
    }
    return result(scenario, seed, figures, recorder);
  }

  /** The result that has these figures. */
  static Result result(
      Scenario scenario, long seed, Map<String, Double> figures, Recorder recorder) {
    List<Result.Assertion> assertions = judge(scenario, figures);
    return new Result(
        scenario.name(),
        seed,
        assertions.stream().allMatch(Result.Assertion::passed),
        assertions,
        figures,
        recorder.series());
  }

  private static long nanos(double seconds) {
    return Math.round(seconds * 1e9);
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
