package io.headgate.server.demo.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LoadGeneratorTest {

  private static final long MILLI = 1_000_000;

  @Test
  void keepsTheTimeWhileItRunsInTime() {
    assertThat(LoadGenerator.advance(996 * MILLI, 4 * MILLI, 1_000 * MILLI))
        .isEqualTo(1_000.0 * MILLI);
  }

  @Test
  void catchesUpATenthFasterThanTimePassesAfterAPause() {
    double afterPause = LoadGenerator.advance(1_000 * MILLI, 200 * MILLI, 1_200 * MILLI);
    assertThat(afterPause).isEqualTo(1_022.0 * MILLI);
    assertThat(LoadGenerator.advance(afterPause, 4 * MILLI, 1_204 * MILLI))
        .isEqualTo(1_026_400_000.0);
    assertThat(LoadGenerator.advance(1_202 * MILLI, 4 * MILLI, 1_204 * MILLI))
        .isEqualTo(1_204.0 * MILLI);
  }
}
