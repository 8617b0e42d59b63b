package io.headgate.control.status;

import java.util.List;

/**
 * An aggregator now.
 *
 * @param id its id
 * @param region its region
 * @param zone its zone
 * @param clients how many clients have a fresh report
 * @param slowDownMillis how often its clients are asked to report at most, because it is
 *     overloaded; 0 if it is not
 * @param configVersion the version of the rules in force
 * @param digest their digest
 * @param following the controller whose directives it hands down; empty if there is none
 * @param controllers the controllers of its region
 * @param buckets the buckets with demand in this aggregator's part of the zone
 */
public record AggregatorStatus(
    String id,
    String region,
    String zone,
    int clients,
    int slowDownMillis,
    long configVersion,
    String digest,
    String following,
    List<ControllerLink> controllers,
    List<BucketStatus> buckets) {

  /**
   * A controller as the aggregator sees it.
   *
   * @param address where it listens
   * @param id its id; empty until it has said so
   * @param connected whether it is connected
   * @param learning whether it has heard too little yet to judge
   */
  public record ControllerLink(String address, String id, boolean connected, boolean learning) {}
}
