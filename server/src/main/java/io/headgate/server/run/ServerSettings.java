package io.headgate.server.run;

import io.headgate.core.rule.Location;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a server process is set up.
 *
 * @param roles what it does, one at least
 * @param id its id, unique in the region and the same after a restart
 * @param epoch greater for each start of the same id
 * @param location where it runs; the zone is empty for a controller alone
 * @param grpc where agents and other tiers connect to
 * @param http where the pages are
 * @param controllers the controllers of the region that an aggregator reports to, {@code
 *     host:port}; if empty, the controller in the same process
 * @param envoy where Envoy proxies connect to, for the role envoy
 * @param aggregators the aggregators of the zone that the proxies' counts go to, {@code host:port};
 *     if empty, the aggregator in the same process
 * @param peers controllers of other regions, {@code host:port}
 * @param rules the directory of rule files; null without the role controller
 * @param expectedAggregators how many aggregators a controller that has just started waits for
 * @param reportInterval how often a tier tells the next what it has summed
 * @param timeToLive how long directives hold without being renewed
 * @param releaseRamp over how long agents let go once their directives have run out
 * @param tls certificates, or null for plain connections
 * @param configurator what the role configurator needs; null without it
 */
public record ServerSettings(
    Set<Role> roles,
    String id,
    long epoch,
    Location location,
    HostPort grpc,
    HostPort http,
    List<String> controllers,
    HostPort envoy,
    List<String> aggregators,
    List<String> peers,
    @Nullable Path rules,
    int expectedAggregators,
    Duration reportInterval,
    Duration timeToLive,
    Duration releaseRamp,
    @Nullable TlsFiles tls,
    @Nullable ConfiguratorSettings configurator) {

  public ServerSettings {
    roles = Set.copyOf(roles);
    controllers = List.copyOf(controllers);
    aggregators = List.copyOf(aggregators);
    peers = List.copyOf(peers);
  }
}
