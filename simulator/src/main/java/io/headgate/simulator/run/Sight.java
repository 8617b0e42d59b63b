package io.headgate.simulator.run;

import io.headgate.agent.BucketCounts;
import java.util.List;

/**
 * What can be seen of a running scenario at one moment. Counts are since a host started.
 *
 * @param seconds when
 * @param hosts all hosts
 * @param zones all zones
 * @param rulings the directives that controllers have sent since the moment before
 */
public record Sight(
    double seconds, List<HostSight> hosts, List<ZoneSight> zones, List<Ruling> rulings) {

  /**
   * One host.
   *
   * @param name its name
   * @param zone its zone
   * @param traffic the name of its traffic
   * @param running whether it has neither been killed nor stopped
   * @param startedSeconds when it started last
   * @param demandPerSecond the most that is offered to it on average at this time: nothing if it
   *     does not run, else with all retries that its caller makes if everything is dropped
   * @param offered what was offered to it
   * @param admitted what of that passed
   * @param reported what its agent has told of as offered to its buckets, in all reports
   * @param buckets what its agent has counted
   */
  public record HostSight(
      String name,
      String zone,
      String traffic,
      boolean running,
      double startedSeconds,
      double demandPerSecond,
      long offered,
      long admitted,
      long reported,
      List<BucketCounts> buckets) {

    public HostSight {
      buckets = List.copyOf(buckets);
    }
  }

  /**
   * One zone.
   *
   * @param zone its name
   * @param region its region
   * @param reached whether a way is open from a controller by an aggregator to its hosts
   * @param withAllRegions whether all regions have a controller and are connected
   */
  public record ZoneSight(String zone, String region, boolean reached, boolean withAllRegions) {}

  /**
   * A message of directives that a controller has sent.
   *
   * @param controller its name
   * @param atSeconds when
   * @param connectedSeconds for how long aggregators had been connected, or their demand counted
   * @param expected how many aggregators its region has
   * @param coveredSeconds for each aggregator that it had heard, how much time the reports covered
   */
  public record Ruling(
      String controller,
      double atSeconds,
      double connectedSeconds,
      int expected,
      List<Double> coveredSeconds) {

    public Ruling {
      coveredSeconds = List.copyOf(coveredSeconds);
    }
  }

  public Sight {
    hosts = List.copyOf(hosts);
    zones = List.copyOf(zones);
    rulings = List.copyOf(rulings);
  }
}
