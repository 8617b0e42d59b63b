package io.headgate.simulator.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SyncedCountTest {

  private static final long NOW = 5_100_000_000L;
  private static final long NEXT_WINDOW = 6_000_000_000L;

  private final SyncedCount count = new SyncedCount();

  private int admittedOf(int requests, long nowNanos, double limit) {
    int admitted = 0;
    for (int request = 0; request < requests; request++) {
      admitted += count.admits(nowNanos, limit) ? 1 : 0;
    }
    return admitted;
  }

  /** This is its flaw: a hundred hosts that have not heard of one another admit all of it each. */
  @Test
  void aHostThatHasNotHeardOfOthersAdmitsTheWholeLimit() {
    assertThat(admittedOf(30, NOW, 10)).isEqualTo(10);
  }

  @Test
  void whatOthersAdmittedLeavesLess() {
    count.hear(new SyncedCount.Heard(0, 3));
    admittedOf(2, NOW, 10);
    assertThat(count.tell(NOW)).isEqualTo(new SyncedCount.Told(5, 2));
    count.hear(new SyncedCount.Heard(5, 9));

    assertThat(admittedOf(30, NOW, 10)).isEqualTo(1);
  }

  @Test
  void whatIsOnItsWayCountsOnce() {
    admittedOf(4, NOW, 10);
    count.tell(NOW);
    assertThat(admittedOf(3, NOW, 10)).isEqualTo(3);
    count.hear(new SyncedCount.Heard(5, 4));

    // Of ten there are four that were told and heard again, and three that were not told yet.
    assertThat(admittedOf(30, NOW, 10)).isEqualTo(3);
    assertThat(count.tell(NOW)).isEqualTo(new SyncedCount.Told(5, 6));
  }

  @Test
  void aNewWindowBeginsAtNothing() {
    admittedOf(30, NOW, 10);

    assertThat(admittedOf(30, NEXT_WINDOW, 10)).isEqualTo(10);
    count.hear(new SyncedCount.Heard(5, 1000));
    assertThat(count.tell(NEXT_WINDOW)).isEqualTo(new SyncedCount.Told(6, 10));
    count.hear(new SyncedCount.Heard(6, 10));
    assertThat(admittedOf(30, NEXT_WINDOW, 10)).isZero();
  }
}
