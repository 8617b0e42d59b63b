package io.headgate.simulator.campaign;

import io.headgate.simulator.run.Sight;
import java.util.List;

/**
 * One second of a world, as invariants judge it.
 *
 * @param seconds when it ended
 * @param buckets every bucket of every rule in every domain
 * @param hosts the hosts that ran through it
 * @param rulings the directives that controllers sent in it
 * @param losses the buckets of which a part is lost while nothing else happens
 */
record Moment(
    double seconds,
    List<BucketSecond> buckets,
    List<HostSecond> hosts,
    List<Sight.Ruling> rulings,
    List<LossSecond> losses) {

  /**
   * What happened to the requests of one bucket in one domain.
   *
   * @param name the bucket's and the domain's
   * @param denies whether its rule drops, rather than counts what it would drop
   * @param shadow whether no host can know its rule as one that drops
   * @param settled whether its domain is connected and has been left alone for long enough
   * @param limitPerSecond the limit
   * @param demandPerSecond the mean of what can be offered at most: before any drop, with all
   *     retries
   * @param offered what the bucket judged
   * @param dropped what of that the bucket dropped
   * @param passed requests that its rule is about and that passed all rules, counted by the callers
   * @param passedLately the same for each of the last {@link NotAboveLimit#WINDOW_SECONDS} seconds,
   *     on average; 0 while not all of them were settled
   */
  record BucketSecond(
      String name,
      boolean denies,
      boolean shadow,
      boolean settled,
      double limitPerSecond,
      double demandPerSecond,
      long offered,
      long dropped,
      long passed,
      double passedLately) {

    long admitted() {
      return offered - dropped;
    }
  }

  /**
   * What passed of a bucket of which a part is lost.
   *
   * @param name the bucket's and the domain's
   * @param when what is lost, in words
   * @param passed what passed in what is not lost
   * @param most how much of that may
   */
  record LossSecond(String name, String when, long passed, double most) {}

  /**
   * What happened on one host.
   *
   * @param name its name
   * @param settled whether the world has been left alone for long enough, and the host is reached
   * @param cutOffSeconds for how long no way has led to it from a controller; 0 if one does
   * @param openAfterSeconds after how much of that it must let everything pass
   * @param dropRatio the greatest of the directives in force there
   * @param dropped requests that did not pass in this second, counted by the caller
   * @param ledger what has been counted since it started
   */
  record HostSecond(
      String name,
      boolean settled,
      double cutOffSeconds,
      double openAfterSeconds,
      double dropRatio,
      long dropped,
      Ledger ledger) {}

  /**
   * Counts of one host since it started, of the buckets that it has: what others counted, whose
   * rules are no more, went with them.
   *
   * @param dropped requests that did not pass, counted by the caller, since its buckets are those
   *     it has
   * @param bucketsOffered what its buckets judged, summed over all that it has
   * @param bucketsAdmitted what of that they let pass
   * @param bucketsDropped what of that they dropped
   * @param reported what its agent has told of in reports
   * @param countedBefore what its buckets had judged before the last {@link
   *     Watching#REPORTED_AFTER_SECONDS}
   */
  record Ledger(
      long dropped,
      long bucketsOffered,
      long bucketsAdmitted,
      long bucketsDropped,
      long reported,
      long countedBefore) {}
}
