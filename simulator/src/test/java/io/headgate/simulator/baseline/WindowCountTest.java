package io.headgate.simulator.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WindowCountTest {

  private final WindowCount count = new WindowCount();

  @Test
  void windowsAreFullSeconds() {
    assertThat(WindowCount.window(0)).isZero();
    assertThat(WindowCount.window(999_999_999)).isZero();
    assertThat(WindowCount.window(1_000_000_000)).isEqualTo(1);
  }

  @Test
  void eachWindowBeginsAtNothing() {
    assertThat(count.add(7, 3)).isEqualTo(3);
    assertThat(count.add(7, 2)).isEqualTo(5);
    assertThat(count.add(8, 1)).isEqualTo(1);
    assertThat(count.add(9, 1)).isEqualTo(1);
  }

  @Test
  void whatComesLateCountsInItsOwnWindow() {
    count.add(7, 3);
    count.add(8, 1);

    assertThat(count.add(7, 1)).isEqualTo(4);
    assertThat(count.add(8, 1)).isEqualTo(2);
  }

  @Test
  void whatComesTwoWindowsLateDoesNotDisturbTheWindowOfNow() {
    count.add(9, 5);

    assertThat(count.add(7, 1)).isEqualTo(1);
    assertThat(count.add(9, 1)).isEqualTo(6);
  }
}
