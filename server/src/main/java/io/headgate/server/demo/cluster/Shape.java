package io.headgate.server.demo.cluster;

import java.util.List;

/**
 * What a control plane is made of.
 *
 * @param regions its regions, each with another name
 */
public record Shape(List<Region> regions) {

  public Shape {
    regions = List.copyOf(regions);
  }

  /**
   * A region.
   *
   * @param name its name
   * @param controllers how many controllers it has
   * @param zones its zones, with names that no other zone has
   */
  public record Region(String name, int controllers, List<Zone> zones) {
    public Region {
      zones = List.copyOf(zones);
    }

    int aggregators() {
      return zones.stream().mapToInt(Zone::aggregators).sum();
    }
  }

  /**
   * A zone.
   *
   * @param name its name
   * @param aggregators how many aggregators it has
   * @param envoys whether Envoys can connect to them too
   */
  public record Zone(String name, int aggregators, boolean envoys) {

    /** A zone whose aggregators are for agents alone. */
    public Zone(String name, int aggregators) {
      this(name, aggregators, false);
    }
  }

  /** Two regions of two zones, a controller in each region and an aggregator in each zone. */
  public static Shape twoRegions() {
    return new Shape(
        List.of(
            new Region("eu-west", 1, List.of(new Zone("eu-west-1", 1), new Zone("eu-west-2", 1))),
            new Region("us-east", 1, List.of(new Zone("us-east-1", 1), new Zone("us-east-2", 1)))));
  }

  /** Two regions of one zone, to whose aggregator Envoys can connect. */
  public static Shape twoZonesOfEnvoys() {
    return new Shape(
        List.of(
            new Region("eu-west", 1, List.of(new Zone("eu-west-1", 1, true))),
            new Region("us-east", 1, List.of(new Zone("us-east-1", 1, true)))));
  }
}
