package io.headgate.envoy.ratelimit.stats;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RateLimitStatsTest {

  @Test
  void limitsBeyondTheBoundAreCountedTogether() {
    RateLimitStats stats = new RateLimitStats(2);
    for (String path : new String[] {"a", "b", "c", "d", "a"}) {
      stats.of(path).refused(1, false);
    }

    assertThat(stats.descriptors())
        .extracting(DescriptorStats::path)
        .containsExactlyInAnyOrder("a", "b", RateLimitStats.OVERFLOW);
    assertThat(stats.of("a").over()).isEqualTo(2);
    assertThat(stats.of("never seen").over()).isEqualTo(2);
  }
}
