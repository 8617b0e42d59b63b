package io.headgate.simulator.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.simulator.result.Result;
import io.headgate.simulator.scenario.Catalogue;
import org.junit.jupiter.api.Test;

class SimulationTest {

  @Test
  void theSameSeedGivesTheSameRun() {
    Result one = Simulation.run(Catalogue.get("short-burst"), 5, done -> {});
    Result other = Simulation.run(Catalogue.get("short-burst"), 5, done -> {});

    assertThat(other.figures()).isEqualTo(one.figures());
    assertThat(Simulation.run(Catalogue.get("short-burst"), 6, done -> {}).figures())
        .isNotEqualTo(one.figures());
  }
}
