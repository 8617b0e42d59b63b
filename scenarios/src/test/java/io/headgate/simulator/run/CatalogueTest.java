package io.headgate.simulator.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.simulator.result.Result;
import io.headgate.simulator.scenario.Catalogue;
import io.headgate.simulator.scenario.Scenario;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Execution(ExecutionMode.CONCURRENT)
class CatalogueTest {

  /** A crowd that takes minutes, and gigabytes of heap, is run in part. */
  private static final int MOST_HOSTS = 5_000;

  @Tag("process")
  @ParameterizedTest
  @MethodSource("io.headgate.simulator.scenario.Catalogue#names")
  void everyScenarioMeetsItsExpectations(String name) {
    Scenario scenario = Catalogue.get(name);
    int hosts = scenario.crowd() == null ? 0 : scenario.crowd().hosts();
    Result result =
        Simulation.run(
            hosts > MOST_HOSTS ? scenario.scaled((double) MOST_HOSTS / hosts) : scenario,
            1,
            done -> {});

    assertThat(result.assertions()).isNotEmpty().allMatch(Result.Assertion::passed);
  }

  /** The published figure for the loop that Uber describes is two to three seconds. */
  @Tag("process")
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void theStepIsEnforcedInTenthsOfASecondWhateverTheSeed(long seed) {
    Result result = Simulation.run(Catalogue.get("step"), seed, done -> {});

    assertThat(result.figures().get("secondsToUnder110Percent")).isLessThanOrEqualTo(0.5);
    assertThat(result.figures().get("excessLimitSeconds")).isLessThanOrEqualTo(3);
    assertThat(result.figures().get("reportsPerHostSecond")).isLessThanOrEqualTo(1.2);
  }
}
