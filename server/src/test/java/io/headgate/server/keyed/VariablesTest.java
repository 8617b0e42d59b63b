package io.headgate.server.keyed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VariablesTest {

  @Test
  void setToNothingAreNotSet() {
    Variables variables = new Variables(Map.of("A", " ", "B", " x "));
    assertThat(variables.has("A")).isFalse();
    assertThat(variables.text("A", "default")).isEqualTo("default");
    assertThat(variables.text("B")).isEqualTo("x");
    assertThat(variables.set()).containsExactly("B");
    assertThat(variables.read()).containsExactlyInAnyOrder("A", "B");
  }

  @Test
  void lastAsLongAsGoSaysTheyDo() {
    assertDuration("500us", Duration.ofNanos(500_000));
    assertDuration("1.5s", Duration.ofMillis(1_500));
    assertDuration("1m30s", Duration.ofSeconds(90));
    assertDuration("2h", Duration.ofHours(2));
    assertDuration(".5ms", Duration.ofNanos(500_000));
    assertThat(new Variables(Map.of()).duration("D", Duration.ofMillis(7)))
        .isEqualTo(Duration.ofMillis(7));
    for (String bad : List.of("5", "s", "-1s", "1s2", "1d", "0s", "1 s", "0.1ns")) {
      assertThatThrownBy(() -> new Variables(Map.of("D", bad)).duration("D", Duration.ZERO))
          .hasMessage("D: '" + bad + "' (expected: a duration such as 500ms, 1.5s or 2m)");
    }
  }

  private static void assertDuration(String text, Duration expected) {
    assertThat(new Variables(Map.of("D", text)).duration("D", Duration.ZERO)).isEqualTo(expected);
  }

  @Test
  void areWholeNumbersWithinBounds() {
    assertThat(new Variables(Map.of("N", "8")).integer("N", 1, 1, 8)).isEqualTo(8);
    assertThat(new Variables(Map.of()).integer("N", 3, 1, 8)).isEqualTo(3);
    for (String bad : List.of("9", "0", "x", "1.5")) {
      assertThatThrownBy(() -> new Variables(Map.of("N", bad)).integer("N", 1, 1, 8))
          .hasMessage("N: '" + bad + "' (expected: a whole number from 1 to 8)");
    }
  }

  @Test
  void areTrueOrFalse() {
    assertThat(new Variables(Map.of("F", "T")).flag("F", false)).isTrue();
    assertThat(new Variables(Map.of("F", "0")).flag("F", true)).isFalse();
    assertThat(new Variables(Map.of()).flag("F", true)).isTrue();
    assertThatThrownBy(() -> new Variables(Map.of("F", "yes")).flag("F", true))
        .hasMessage("F: 'yes' (expected: true or false)");
  }

  @Test
  void areListsPartedByCommas() {
    assertThat(new Variables(Map.of("L", "a, b,,c ")).list("L")).containsExactly("a", "b", "c");
    assertThat(new Variables(Map.of()).list("L")).isEmpty();
  }
}
