package io.headgate.simulator.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TokenRingTest {

  private final TokenRing tokens = new TokenRing(10);

  private int takeAll() {
    int taken = 0;
    while (tokens.take()) {
      taken++;
    }
    return taken;
  }

  @Test
  void anEmptyRingHasNoToken() {
    assertThat(tokens.take()).isFalse();
  }

  @Test
  void aRefillGivesAsManyTokensAsItHolds() {
    tokens.refill(3);

    assertThat(takeAll()).isEqualTo(3);
  }

  @Test
  void whatIsNotUsedIsKeptForTenRefills() {
    tokens.refill(5);
    for (int second = 2; second <= 10; second++) {
      tokens.refill(0);
    }

    assertThat(tokens.available()).isEqualTo(5);
    tokens.refill(0);
    assertThat(tokens.available()).isZero();
  }

  @Test
  void theOldestGoFirstSoThatTheLeastIsLost() {
    tokens.refill(2);
    tokens.refill(2);
    assertThat(tokens.take()).isTrue();
    assertThat(tokens.take()).isTrue();
    for (int second = 3; second <= 11; second++) {
      tokens.refill(0);
    }

    // The first refill's tokens would be gone by now; the second's are in their last second.
    assertThat(takeAll()).isEqualTo(2);
  }

  @Test
  void aProxyWithASmallShareWaitsForPartsToAddUp() {
    for (int second = 1; second <= 3; second++) {
      tokens.refill(0.25);
      assertThat(tokens.take()).isFalse();
    }
    tokens.refill(0.25);

    assertThat(takeAll()).isEqualTo(1);
    assertThat(tokens.available()).isZero();
  }

  /** At 0.0625 a second, all that ten seconds keep is 0.625. */
  @Test
  void aShareOfLessThanATokenInTenSecondsNeverBecomesOne() {
    for (int second = 1; second <= 100; second++) {
      tokens.refill(0.0625);
      assertThat(tokens.take()).isFalse();
    }
  }
}
