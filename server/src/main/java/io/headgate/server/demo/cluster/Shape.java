package io.headgate.server.demo.cluster;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a control plane is made of.
 *
 * @param zonesOfRegion the zones of each region, in order
 * @param controllersPerRegion how many controllers each region has
 * @param aggregatorsPerZone how many aggregators each zone has
 */
public record Shape(
    Map<String, List<String>> zonesOfRegion, int controllersPerRegion, int aggregatorsPerZone) {

  public Shape {
    Map<String, List<String>> copy = new LinkedHashMap<>();
    zonesOfRegion.forEach((region, zones) -> copy.put(region, List.copyOf(zones)));
    zonesOfRegion = copy;
  }

  /** Two regions of two zones, a controller in each region and an aggregator in each zone. */
  public static Shape twoRegions() {
    Map<String, List<String>> zones = new LinkedHashMap<>();
    zones.put("eu-west", List.of("eu-west-1", "eu-west-2"));
    zones.put("us-east", List.of("us-east-1", "us-east-2"));
    return new Shape(zones, 1, 1);
  }
}
