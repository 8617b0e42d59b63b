package io.headgate.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A bucket with 4,000 requests a second: 100 between two looks. */
class BucketDemandTest {

  private static final long LOOK_NANOS = DemandWatch.LOOK_NANOS;
  private static final long USUAL = 100;

  private final LookTimes times = new LookTimes();
  private final BucketDemand demand = new BucketDemand();
  private long nowNanos = 1;
  private long reportedNanos = nowNanos;
  private long total;

  @BeforeEach
  void demandIsKnown() {
    for (int second = 0; second < 20; second++) {
      for (int look = 0; look < 40; look++) {
        look(USUAL);
      }
      report();
    }
    look(USUAL);
    look(USUAL);
  }

  @Test
  void aRiseIsNewsAtTheFirstLook() {
    assertThat(look(10 * USUAL)).isTrue();
    assertThat(demand.recentNanos()).isEqualTo(LOOK_NANOS);
    assertThat(demand.recent()).isEqualTo(10 * USUAL);
  }

  @Test
  void aFallIsNewsOnceItHasLasted() {
    assertThat(looksUntilNews(USUAL / 5)).isBetween(3, 4);
    assertThat(demand.recentNanos()).isEqualTo(4 * LOOK_NANOS);
  }

  @Test
  void silenceIsNewsOnceItHasLastedLonger() {
    assertThat(looksUntilNews(0)).isBetween(10, 12);
    assertThat(demand.recentNanos()).isEqualTo(12 * LOOK_NANOS);
  }

  @Test
  void callsThatWereHeldUpAndComeInABurstAreNoNews() {
    for (int look = 0; look < 8; look++) {
      assertThat(look(0)).isFalse();
    }
    assertThat(look(9 * USUAL)).isFalse();
    for (int look = 0; look < 20; look++) {
      assertThat(look(USUAL)).isFalse();
    }
  }

  @Test
  void aRiseThatFollowsSilenceIsNewsIfItIsMoreThanWasMissing() {
    assertThat(look(0)).isFalse();
    assertThat(look(8 * USUAL)).isTrue();
  }

  @Test
  void nothingIsNewsWhileTheProcessCatchesUp() {
    times.add(nowNanos += LOOK_NANOS);
    total += 10 * USUAL;
    assertThat(demand.look(times, total, nowNanos - reportedNanos, true)).isFalse();
  }

  private int looksUntilNews(long counted) {
    int looks = 1;
    while (!look(counted)) {
      looks++;
    }
    return looks;
  }

  private boolean look(long counted) {
    nowNanos += LOOK_NANOS;
    total += counted;
    times.add(nowNanos);
    return demand.look(times, total, nowNanos - reportedNanos, false);
  }

  private void report() {
    demand.reported(total, nowNanos - reportedNanos);
    reportedNanos = nowNanos;
    times.reported();
  }
}
