package io.headgate.core.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class PartitionedConcurrencyLimiterTest {

  private final PartitionedConcurrencyLimiter limiter =
      new PartitionedConcurrencyLimiter(10, Map.of("live", 8L, "batch", 4L));

  @Test
  void noPartitionAndNotTheWholeIsPassed() {
    assertThat(limiter.tryAcquire("batch", 4)).isNotNull();
    assertThat(limiter.tryAcquire("batch", 1)).isNull();
    assertThat(limiter.tryAcquire("live", 6)).isNotNull();
    assertThat(limiter.tryAcquire("live", 1)).isNull();
    assertThat(limiter.inUse("live")).isEqualTo(6); // what was denied is back
  }

  @Test
  void aSecondReleaseIsIgnored() {
    PartitionedConcurrencyLimiter.Permits permits = limiter.tryAcquire("live", 8);
    permits.close();
    permits.close();
    assertThat(limiter.available()).isEqualTo(10);
    assertThat(limiter.inUse("live")).isZero();
  }

  @Test
  void mistakesAreNamed() {
    assertThatThrownBy(() -> new PartitionedConcurrencyLimiter(10, Map.of("live", 11L)))
        .hasMessage("partition live: 11 (expected: 1 to 10)");
    assertThatThrownBy(() -> limiter.tryAcquire("other", 1))
        .hasMessageStartingWith("partition: other (expected: one of [");
  }
}
