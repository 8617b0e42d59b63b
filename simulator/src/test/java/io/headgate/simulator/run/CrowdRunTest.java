package io.headgate.simulator.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.simulator.scenario.Catalogue;
import io.headgate.simulator.scenario.Crowd;
import io.headgate.simulator.scenario.Scenario;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CrowdRunTest {

  private final Scenario scale = Catalogue.get("scale");
  private final Crowd crowd = Objects.requireNonNull(scale.crowd());

  @Test
  void aPartOfACrowdCallsItsProceduresAsOftenAsTheWhole() {
    Crowd part = crowd.scaled(0.01);

    assertThat(part.hosts()).isEqualTo(3_000);
    assertThat(part.bucketsPerHost()).isEqualTo(50);
    assertThat(part.calls().get(0).procedures()).isEqualTo(99);
    assertThat(part.calls().get(0).rate()).isSameAs(crowd.calls().get(0).rate());
    assertThatThrownBy(() -> crowd.scaled(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("scale: 0.0 (expected: above 0, to 1)");
  }

  @Test
  void aHeapThatIsTooSmallIsAnErrorThatSaysWhatToDo() {
    assertThatThrownBy(() -> CrowdRun.requireHeap(crowd, 1L << 30))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("300,000 hosts with 50 buckets each need a heap of about")
        .hasMessageContaining("found 1.0")
        .hasMessageContaining("HEADGATE_JAVA_OPTS=-Xmx")
        .hasMessageContaining("--scale 0.");
  }

  /** Worlds run side by side on as many threads as there are processors. */
  @Test
  void theSameSeedGivesTheSameRunWhateverThreadsDo() {
    Scenario part = scale.scaled(0.002);

    Map<String, Double> one = counted(part, 5);
    assertThat(counted(part, 5)).isEqualTo(one);
    assertThat(counted(part, 6)).isNotEqualTo(one);
  }

  /** The figures that are not about the machine. */
  private static Map<String, Double> counted(Scenario scenario, long seed) {
    Map<String, Double> figures =
        new TreeMap<>(Simulation.run(scenario, seed, done -> {}).figures());
    figures
        .keySet()
        .removeIf(
            name ->
                name.contains("Millis")
                    || name.endsWith("Cores")
                    || name.endsWith("Factor")
                    || name.startsWith("cpu")
                    || name.startsWith("wall"));
    return figures;
  }
}
