package io.headgate.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import io.headgate.server.demo.cluster.ServerProcess;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@EndToEndTest
class FailureTest {

  @AfterEach
  void startAgainWhatWasKilled(Fleet fleet) throws Exception {
    fleet.restartAllThatAreDown();
    fleet.awaitSettled();
  }

  @Test
  void controllersThatStartDoNotPublishThatAllPassesAndWithoutThemRatiosAreLetGo(Fleet fleet)
      throws Exception {
    fleet.writeRules("headless", rules("headless"));
    try (Traffic traffic = GlobalLimitTest.demandOf30000("headless", fleet)) {
      traffic.settle();

      fleet.kill(fleet.cluster().controllers());
      fleet.restartAllThatAreDown();
      Observation restarted = traffic.observeFor(Duration.ofSeconds(6));
      // Had they published a ratio of 0 when they knew of no demand yet, 30,000 would have passed.
      assertThat(restarted.admittedPerSecond()).isCloseTo(20_000, withPercentage(10));
      fleet.awaitSettled();
      traffic.settle();

      fleet.kill(fleet.cluster().controllers());
      Observation held = traffic.observeFor(Duration.ofSeconds(3));
      double seconds =
          3
              + traffic.secondsUntil(
                  "all of it passes", Duration.ofSeconds(25), last -> last.dropped() == 0);
      assertThat(held.admittedPerSecond()).isCloseTo(20_000, withPercentage(3));
      // 5 s to live, then 10 s of release; a tenth of a percent of drops is not seen any more.
      assertThat(seconds).isBetween(13.0, 18.0);
      Observation free = traffic.observeFor(Duration.ofSeconds(2));
      assertThat(free.offeredPerSecond()).isCloseTo(30_000, withPercentage(1));
      assertThat(free.dropped()).isZero();

      fleet.restartAllThatAreDown();
      assertThat(
              traffic.secondsUntil(
                  "the limit is kept again",
                  Duration.ofSeconds(15),
                  last -> last.dropRatioByCaller().values().stream().allMatch(r -> r > 0.28)))
          .isLessThan(5);
    }
  }

  @Test
  void whenOneOfTwoControllersOrAggregatorsDiesTheLimitIsKept(Fleet fleet) throws Exception {
    fleet.writeRules("one-of-two", rules("one-of-two"));
    try (Traffic traffic = GlobalLimitTest.demandOf30000("one-of-two", fleet)) {
      traffic.settle();
      for (List<ServerProcess> pair :
          List.of(
              fleet.cluster().controllers("eu-west"), fleet.cluster().aggregators("eu-west-1"))) {
        assertThat(pair).hasSize(2);
        for (ServerProcess dying : pair) {
          fleet.kill(List.of(dying));

          Observation meanwhile = traffic.observeFor(Duration.ofSeconds(7));

          assertThat(meanwhile.admittedPerSecond())
              .as("without %s", dying.name())
              .isCloseTo(20_000, withPercentage(5));
          fleet.restartAllThatAreDown();
          fleet.awaitSettled();
        }
      }
    }
  }

  private static String rules(String service) {
    return """
        service: %s
        rules:
          - name: limit
            limit: 20000/s
            scope: global
            behavior: deny
        """
        .formatted(service);
  }
}
