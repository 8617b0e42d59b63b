package io.headgate.configurator.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ComputingTest {

  private final Computing computing = new Computing();

  @Test
  void whatIsBrokenOffHasNoResultThoughItDidNotNotice() {
    assertThatThrownBy(
            () ->
                computing.run(
                    () -> {
                      computing.breakOff(RunResult.STOPPED);
                      return 1;
                    }))
        .isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).as("still interrupted").isFalse();
  }

  @Test
  void nothingBeginsAfterTheEndAndSomethingDoesAfterALoss() throws Exception {
    computing.breakOff(RunResult.LOST);
    assertThatThrownBy(() -> computing.run(() -> 1)).isInstanceOf(InterruptedException.class);
    computing.resume();
    assertThat(computing.run(() -> 1)).isEqualTo(1);

    computing.breakOff(RunResult.STOPPED);
    computing.resume();
    assertThatThrownBy(() -> computing.run(() -> 1)).isInstanceOf(InterruptedException.class);
  }
}
