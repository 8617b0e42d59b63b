package io.headgate.configurator.run;

import java.time.Duration;

/**
 * How a runner works, apart from what is in the configuration.
 *
 * @param id its name in metrics and in the status
 * @param holder its name as a holder of the lease, which no other process and no earlier start of
 *     this one has
 * @param author who is named as the author of a change
 * @param threads how many rates are read at the same time
 * @param lookEvery how often it looks whether there is something to do
 * @param leaseTime how long after it has died another runner may take over
 * @param firstWait how long it waits after a failure; twice as long after each further one
 * @param longestWait and how long at most
 */
public record LoopSettings(
    String id,
    String holder,
    String author,
    int threads,
    Duration lookEvery,
    Duration leaseTime,
    Duration firstWait,
    Duration longestWait) {

  /** The usual times. */
  public static LoopSettings of(String id, String holder, String author, int threads) {
    return new LoopSettings(
        id,
        holder,
        author,
        threads,
        Duration.ofSeconds(2),
        Duration.ofSeconds(30),
        Duration.ofSeconds(10),
        Duration.ofMinutes(10));
  }
}
