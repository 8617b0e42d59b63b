package io.headgate.control.aggregator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** With an interval of one second. */
final class OverloadTest {

  private final Overload overload = new Overload(1_000_000_000);

  private boolean tick(int lateMillis, int tookMillis) {
    return overload.tick(lateMillis * 1_000_000L, tookMillis * 1_000_000L);
  }

  @Test
  void twoHeavyTicksInARowAreAnOverload() {
    assertThat(tick(200, 50)).isFalse();
    assertThat(tick(0, 250)).isTrue();

    assertThat(overload.isOverloaded()).isTrue();
    assertThat(overload.slowDownMillis()).isEqualTo(2_000);
  }

  @Test
  void oneLateTickIsNone() {
    assertThat(tick(3_000, 50)).isFalse();
    assertThat(tick(0, 50)).isFalse();
    assertThat(tick(3_000, 50)).isFalse();

    assertThat(overload.isOverloaded()).isFalse();
    assertThat(overload.slowDownMillis()).isZero();
  }

  @Test
  void clientsAreAskedForLessAsLongAsItIsNotEnough() {
    for (int i = 0; i < 20; i++) {
      tick(400, 50);
    }

    assertThat(overload.slowDownMillis()).isEqualTo(5_000);
    assertThat(overload.intervals()).isEqualTo(5);
  }

  @Test
  void itGoesBackStepByStepOnceThereIsRoom() {
    for (int i = 0; i < 4; i++) {
      tick(400, 50);
    }
    assertThat(overload.slowDownMillis()).isEqualTo(3_000);

    for (int i = 0; i < 4; i++) {
      assertThat(tick(0, 50)).isFalse();
    }
    assertThat(tick(0, 50)).isTrue();
    assertThat(overload.slowDownMillis()).isEqualTo(2_000);
    for (int i = 0; i < 5; i++) {
      tick(0, 50);
    }
    assertThat(overload.slowDownMillis()).isZero();
  }

  @Test
  void betweenHeavyAndLightItStaysAsItIs() {
    tick(400, 50);
    tick(400, 50);

    for (int i = 0; i < 50; i++) {
      assertThat(tick(0, 150)).isFalse();
    }
    assertThat(overload.slowDownMillis()).isEqualTo(2_000);
  }
}
