package io.headgate.control.status;

import java.util.List;

/**
 * A controller now.
 *
 * @param id its id
 * @param region its region
 * @param learning whether it has heard too little yet to judge
 * @param configVersion the version of the rules in force
 * @param digest their digest
 * @param rules how many rules these are
 * @param problems what is wrong in the rule files; the last good rules of such a file stay in force
 * @param aggregators the aggregators that report to it
 * @param peers controllers of other regions
 * @param buckets the buckets with demand
 */
public record ControllerStatus(
    String id,
    String region,
    boolean learning,
    long configVersion,
    String digest,
    int rules,
    List<FileProblem> problems,
    List<AggregatorLink> aggregators,
    List<PeerLink> peers,
    List<BucketStatus> buckets) {

  /**
   * An aggregator as the controller sees it.
   *
   * @param id its id
   * @param zone its zone
   * @param connected whether it is connected; if not, its last rates are still held
   * @param clients how many clients report to it
   * @param ageSeconds how long ago its last report came
   */
  public record AggregatorLink(
      String id, String zone, boolean connected, int clients, double ageSeconds) {}

  /**
   * A controller of another region.
   *
   * @param address where it listens
   * @param region its region; empty until it has said so
   * @param connected whether it is connected
   * @param ageSeconds how long ago its last report came; negative if none has come
   */
  public record PeerLink(String address, String region, boolean connected, double ageSeconds) {}
}
