package io.headgate.simulator.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.simulator.run.Judge;
import io.headgate.simulator.run.Limiter;
import io.headgate.simulator.scenario.Catalogue;
import io.headgate.simulator.scenario.Traffic;
import io.headgate.simulator.world.Network;
import io.headgate.simulator.world.Node;
import io.headgate.simulator.world.Weather;
import io.headgate.simulator.world.World;
import org.junit.jupiter.api.Test;

/** The baselines as hosts meet them, over a network of 20 ms each way. */
class LimitersTest {

  private static final long SECOND = 1_000_000_000;
  private static final Traffic TRAFFIC = Catalogue.get("step").traffic().get(0);

  private final World world = new World(1);
  private final Network network = new Network(world, Weather.CALM);
  private final Node one = new Node(world, "one", "eu-west-1", 0);
  private final Node other = new Node(world, "other", "eu-west-2", 0);

  private static int admittedOf(int requests, Judge judge) {
    int admitted = 0;
    for (int request = 0; request < requests; request++) {
      admitted += judge.admits(-1, false) ? 1 : 0;
    }
    return admitted;
  }

  @Test
  void theCentralCounterAdmitsTheLimitInEachSecondWhoeverAsks() {
    Limiter counter = new CentralCounter(world, network, () -> 100);

    assertThat(admittedOf(60, counter.judge(one, TRAFFIC))).isEqualTo(60);
    assertThat(admittedOf(60, counter.judge(other, TRAFFIC))).isEqualTo(40);
    world.runUntil(SECOND);
    assertThat(admittedOf(60, counter.judge(other, TRAFFIC))).isEqualTo(60);
    assertThat(network.sentMessages()).isEqualTo(180);
    assertThat(counter.addedSeconds(0.5)).isEqualTo(0.04);
  }

  @Test
  void theCentralCounterCountsWhatArrivesInTheNextSecondThere() {
    Judge judge = new CentralCounter(world, network, () -> 100).judge(one, TRAFFIC);
    world.runUntil(SECOND - 10_000_000);
    assertThat(admittedOf(100, judge)).isEqualTo(100);
    world.runUntil(SECOND);

    assertThat(admittedOf(10, judge)).isZero();
  }

  @Test
  void whoHearsNothingFromTheCentralCounterLetsTheRequestGoOnAfterTheTimeout() {
    network.weather(new Weather(20_000_000, 0, 1, 0, 0));
    Limiter counter = new CentralCounter(world, network, () -> 100);

    assertThat(admittedOf(300, counter.judge(one, TRAFFIC))).isEqualTo(300);
    assertThat(counter.addedSeconds(0.99)).isEqualTo(0.1);
  }

  @Test
  void aTokenBucketAdmitsAllUntilItIsToldItsShareAndThenItsShareOfTheLimit() {
    Limiter buckets = new TokenBuckets(world, network, () -> 100);
    Judge busy = buckets.judge(one, TRAFFIC);
    Judge quiet = buckets.judge(other, TRAFFIC);
    assertThat(admittedOf(3000, busy)).isEqualTo(3000);
    assertThat(admittedOf(3000, quiet)).isEqualTo(3000);
    for (int second = 1; second <= 20; second++) {
      admittedOf(300, busy);
      admittedOf(100, quiet);
      world.runUntil(second * SECOND);
    }

    // Three quarters of the load are the busy one's, and so three quarters of the limit.
    assertThat(admittedOf(300, busy)).isEqualTo(75);
    assertThat(admittedOf(100, quiet)).isEqualTo(25);
  }

  @Test
  void aTokenBucketKeepsTenSecondsOfWhatItDoesNotUse() {
    Judge only = new TokenBuckets(world, network, () -> 100).judge(one, TRAFFIC);
    for (int second = 1; second <= 30; second++) {
      admittedOf(10, only);
      world.runUntil(second * SECOND);
    }

    // Its share is all. Ten requests a second are taken off the oldest refill, which would be lost.
    assertThat(admittedOf(5000, only)).isEqualTo(1000);
  }

  @Test
  void syncedCountersKnowOfOneAnotherAfterASynchronisation() {
    Limiter counters = new SyncedCounters(world, network, () -> 100);
    Judge first = counters.judge(one, TRAFFIC);
    Judge second = counters.judge(other, TRAFFIC);
    world.runUntil(SECOND);
    assertThat(admittedOf(80, first)).isEqualTo(80);
    assertThat(admittedOf(80, second)).isEqualTo(80);

    // Two rounds of 250 ms: one to tell, one in which both are surely told.
    world.runUntil(SECOND + 600_000_000);
    assertThat(admittedOf(80, first)).isZero();
    assertThat(admittedOf(80, second)).isZero();
    world.runUntil(2 * SECOND);
    assertThat(admittedOf(80, first)).isEqualTo(80);
  }
}
