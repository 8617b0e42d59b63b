package io.headgate.core.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ConcurrencyLimiterTest {

  @Test
  void aSecondReleaseIsIgnored() {
    ConcurrencyLimiter limiter = new ConcurrencyLimiter(1);
    ConcurrencyLimiter.Permits first = limiter.tryAcquire(1);
    assertThat(first).isNotNull();
    first.close();
    first.close();

    assertThat(limiter.available()).isEqualTo(1);
    assertThat(limiter.tryAcquire(1)).isNotNull();
    assertThat(limiter.tryAcquire(1)).isNull();
  }

  @Test
  void moreThanTheLimitIsNeverInUse() {
    ConcurrencyLimiter limiter = new ConcurrencyLimiter(5);
    assertThat(limiter.tryTake(3)).isTrue();
    assertThat(limiter.tryTake(3)).isFalse();
    assertThat(limiter.tryTake(2)).isTrue();
    assertThat(limiter.tryTake(0)).isFalse();
  }

  @Test
  void givingBackMoreThanIsInUseIsAMistake() {
    ConcurrencyLimiter limiter = new ConcurrencyLimiter(5);
    limiter.tryTake(1);

    assertThatThrownBy(() -> limiter.giveBack(2))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("given back: 2 (expected: 0 to the 1 in use)");
  }
}
