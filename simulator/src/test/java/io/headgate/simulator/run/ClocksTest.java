package io.headgate.simulator.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.simulator.result.Result;
import io.headgate.simulator.scenario.Catalogue;
import io.headgate.simulator.scenario.Scenario;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClocksTest {

  /** Counts travel with the time that they cover and directives with the time they have left. */
  @ParameterizedTest
  @ValueSource(strings = {"short-burst", "controller-replaced", "controllers-lost"})
  void clocksThatAreAnHourApartChangeNoDecision(String name) {
    Scenario scenario = Catalogue.get(name);

    Result right = Simulation.run(scenario, 3, done -> {});
    Result skewed = Simulation.run(scenario.withClockSkew(3600), 3, done -> {});

    assertThat(skewed.figures()).isEqualTo(right.figures());
    assertThat(skewed.series().admittedPerSecond())
        .containsExactly(right.series().admittedPerSecond());
  }
}
