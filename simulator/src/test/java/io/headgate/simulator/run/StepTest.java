package io.headgate.simulator.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.core.rule.Behavior;
import io.headgate.core.rule.NamePattern;
import io.headgate.core.rule.Rate;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.Scope;
import io.headgate.core.rule.ServiceRules;
import io.headgate.simulator.result.Result;
import io.headgate.simulator.scenario.Loop;
import io.headgate.simulator.scenario.Scenario;
import io.headgate.simulator.scenario.Traffic;
import io.headgate.simulator.traffic.RateCurve;
import io.headgate.simulator.traffic.Spread;
import io.headgate.simulator.world.Weather;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StepTest {

  @Test
  void thePlainLoopTakesSecondsAsUberDescribes() {
    for (long seed = 1; seed <= 4; seed++) {
      Result result = Simulation.run(step(Loop.PLAIN), seed, done -> {});
      System.out.println("plain " + result.figures());
    }
    for (long seed = 1; seed <= 4; seed++) {
      long begin = System.nanoTime();
      Result result = Simulation.run(step(Loop.DEFAULT), seed, done -> {});
      System.out.println("default " + (System.nanoTime() - begin) / 1e9 + " " + result.figures());
    }
    assertThat(Simulation.run(step(Loop.PLAIN), 1, done -> {}).figures()).isNotEmpty();
  }

  static Scenario step(Loop loop) {
    Rule all =
        new Rule(
            "all",
            NamePattern.any(),
            NamePattern.any(),
            false,
            false,
            Rate.perSecond(25_000),
            Map.of(),
            Scope.GLOBAL,
            Behavior.DENY);
    RateCurve curve =
        new RateCurve(22_000, List.of(new RateCurve.Change(10, 0, 367_000)), RateCurve.Wave.NONE);
    return new Scenario(
        "step",
        "",
        40,
        1,
        loop,
        Weather.CALM,
        List.of(new Scenario.Region("eu", List.of("eu-1", "eu-2"), 1, 1)),
        List.of(new ServiceRules("payments", List.of(all))),
        List.of(
            new Traffic(
                "callers",
                600,
                List.of("eu-1", "eu-2"),
                Spread.UNEQUAL,
                "payments",
                "checkout",
                "Charge",
                curve,
                1,
                false,
                List.of())),
        List.of(),
        new Scenario.Watch("payments", "all", 10, 20, 40),
        List.of());
  }
}
