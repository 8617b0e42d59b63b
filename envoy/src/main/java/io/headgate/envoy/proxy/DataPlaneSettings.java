package io.headgate.envoy.proxy;

import io.headgate.core.rule.Location;
import java.time.Duration;
import java.util.List;

/**
 * How a data plane of proxies is set up.
 *
 * @param location where it is; proxies that say otherwise are refused
 * @param aggregators of the zone, in the form that the connector takes
 * @param flushInterval how often proxies usually send what they have counted; only the first flush
 *     of a proxy goes by it
 * @param releaseRamp over how long drop ratios fall once the control plane is silent
 * @param maxProxies how many proxies are taken
 * @param maxPairs how many callers and procedures of a proxy are told apart
 */
public record DataPlaneSettings(
    Location location,
    List<String> aggregators,
    Duration flushInterval,
    Duration releaseRamp,
    int maxProxies,
    int maxPairs) {

  private static final int MAX_PROXIES = 5_000;
  private static final int MAX_PAIRS = 10_000;

  public DataPlaneSettings {
    aggregators = List.copyOf(aggregators);
  }

  /** The usual bounds and a flush each second. */
  public static DataPlaneSettings of(
      Location location, List<String> aggregators, Duration releaseRamp) {
    return new DataPlaneSettings(
        location, aggregators, Duration.ofSeconds(1), releaseRamp, MAX_PROXIES, MAX_PAIRS);
  }
}
