package io.headgate.simulator.run;

import io.headgate.control.aggregator.Aggregator;
import io.headgate.control.aggregator.AggregatorSettings;
import io.headgate.control.controller.Controller;
import io.headgate.control.controller.ControllerSettings;
import io.headgate.core.rule.Location;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.RuleSet;
import io.headgate.core.rule.ServiceRules;
import io.headgate.simulator.scenario.Scenario;
import io.headgate.simulator.scenario.Scenario.Region;
import io.headgate.simulator.world.Network;
import io.headgate.simulator.world.Node;
import io.headgate.simulator.world.World;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The aggregators and controllers of a scenario. */
final class Tiers {

  private static final int AGENTS = 1;
  private static final int AGGREGATORS = 1;
  private static final int PEERS = 2;

  private final Scenario scenario;
  private final Function<String, World> worlds;
  private final Network network;
  private final ControllerTap tap;
  private final Map<String, Place> places = new LinkedHashMap<>();
  private final Map<String, Controller> controllers = new LinkedHashMap<>();
  private final Map<String, String> regionByZone = new LinkedHashMap<>();
  private final Map<String, List<String>> aggregatorsByZone = new LinkedHashMap<>();

  /** One without a registry behind it costs nothing. */
  private final MeterRegistry noMetrics = new CompositeMeterRegistry();

  private RuleSet rules;
  private long epoch;

  Tiers(Scenario scenario, World world, Network network) {
    this(scenario, world, network, ControllerTap.NONE);
  }

  Tiers(Scenario scenario, World world, Network network, ControllerTap tap) {
    this(scenario, place -> world, network, tap);
  }

  /**
   * Tiers in several worlds.
   *
   * @param worlds gives the world of each zone and region
   */
  Tiers(Scenario scenario, Function<String, World> worlds, Network network, ControllerTap tap) {
    this.scenario = scenario;
    this.worlds = worlds;
    this.network = network;
    this.tap = tap;
    this.rules = RuleSet.of(1, scenario.rules());
  }

  void start() {
    for (Region region : scenario.regions()) {
      for (int i = 1; i <= region.controllers(); i++) {
        String name = "controller/" + region.name() + "/" + i;
        run(name, region.name(), node -> startController(name, region, node));
      }
      for (String zone : region.zones()) {
        regionByZone.put(zone, region.name());
        List<String> addresses = new ArrayList<>();
        for (int i = 1; i <= region.aggregators(); i++) {
          String name = "aggregator/" + zone + "/" + i;
          addresses.add(address(name, AGENTS));
          run(name, zone, node -> startAggregator(name, region, zone, node));
        }
        aggregatorsByZone.put(zone, addresses);
      }
    }
  }

  /** Names have the form of an address, for what checks addresses; each port speaks one method. */
  private static String address(String name, int port) {
    return name + ":" + port;
  }

  private static List<String> controllersOf(Region region, int port) {
    List<String> addresses = new ArrayList<>();
    for (int i = 1; i <= region.controllers(); i++) {
      addresses.add(address("controller/" + region.name() + "/" + i, port));
    }
    return addresses;
  }

  private void run(String name, String location, Starter starter) {
    Place place = new Place(location, starter);
    places.put(name, place);
    place.start(name);
  }

  private void startController(String name, Region region, Node node) {
    List<String> peers =
        scenario.regions().stream()
            .filter(other -> !other.equals(region))
            .flatMap(other -> controllersOf(other, PEERS).stream())
            .toList();
    ControllerSettings settings =
        ControllerSettings.of(name, ++epoch, region.name(), peers)
            .withTiming(
                seconds(scenario.loop().tickSeconds()),
                seconds(scenario.loop().reportSeconds()),
                seconds(scenario.loop().ttlSeconds()))
            .withReleaseRamp(seconds(scenario.loop().rampSeconds()))
            .withLearning(Duration.ofSeconds(5), region.zones().size() * region.aggregators())
            .withLaw(scenario.loop().law());
    Controller controller =
        new Controller(
            settings,
            node,
            network.connector(node, message -> -1),
            worlds.apply(region.name()).random(),
            noMetrics);
    network.listen(
        address(name, AGGREGATORS),
        node,
        tap.listen(
            name, node, region.zones().size() * region.aggregators(), controller.aggregators()));
    network.listen(address(name, PEERS), node, controller.peers());
    controllers.put(name, controller);
    controller.updateRules(rules, List.of());
    controller.start();
  }

  private void startAggregator(String name, Region region, String zone, Node node) {
    AggregatorSettings settings =
        AggregatorSettings.builder()
            .aggregatorId(name)
            .epoch(++epoch)
            .region(region.name())
            .zone(zone)
            .controllers(controllersOf(region, AGGREGATORS))
            .reportInterval(seconds(scenario.loop().reportSeconds()))
            .urgentReports(scenario.loop().significance())
            .directiveTtl(seconds(scenario.loop().ttlSeconds()))
            .build();
    Aggregator aggregator =
        new Aggregator(
            settings,
            node,
            network.connector(node, message -> -1),
            worlds.apply(zone).random(),
            noMetrics);
    network.listen(address(name, AGENTS), node, aggregator.agents());
    aggregator.start();
  }

  private static Duration seconds(double seconds) {
    return Duration.ofNanos(Math.round(seconds * 1e9));
  }

  /** A node whose clock is off, and goes wrong, by what the scenario says. */
  Node newNode(String name, String place) {
    long most = seconds(scenario.clockSkewSeconds()).toNanos();
    World world = worlds.apply(place);
    return new Node(
        world,
        name,
        place,
        world.clockOffsetNanos(name, most),
        world.clockDrift(name, scenario.clockDrift()));
  }

  String regionOf(String zone) {
    String region = regionByZone.get(zone);
    if (region == null) {
      throw new IllegalArgumentException(
          "zone: '" + zone + "' (expected: one of " + regionByZone.keySet() + ")");
    }
    return region;
  }

  List<String> aggregators(String zone) {
    return aggregatorsByZone.getOrDefault(zone, List.of());
  }

  void updateRules(List<ServiceRules> services) {
    rules = RuleSet.of(rules.version() + 1, services);
    controllers.values().forEach(controller -> controller.updateRules(rules, List.of()));
  }

  @Nullable Rule rule(String service, String name) {
    return rules.rule(service, name);
  }

  /** The watched rule's limit where the first zone is, per second; unbounded if there is none. */
  double watchedLimit() {
    Rule rule = rule(scenario.watch().service(), scenario.watch().rule());
    Region region = scenario.regions().get(0);
    return rule == null
        ? Double.POSITIVE_INFINITY
        : rule.limit(new Location(region.name(), region.zones().get(0))).perSecond();
  }

  /** Whether a way is open from a controller by an aggregator to the hosts of a zone. */
  boolean isReached(String zone) {
    String region = regionOf(zone);
    return isRunning("aggregator/" + zone + "/")
        && isRunning("controller/" + region + "/")
        && !network.isCut(zone, region);
  }

  /** Whether controllers of all these regions run and are connected with one another. */
  boolean areConnected(Collection<String> regions) {
    for (String region : regions) {
      if (!isRunning("controller/" + region + "/")) {
        return false;
      }
      for (String other : regions) {
        if (network.isCut(region, other)) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean isRunning(String prefix) {
    for (Map.Entry<String, Place> place : places.entrySet()) {
      if (place.getKey().startsWith(prefix) && place.getValue().node().isRunning()) {
        return true;
      }
    }
    return false;
  }

  /** By how much a timer of an aggregator came late at most, since this was asked. */
  double takeAggregatorLateSeconds() {
    long most = 0;
    for (Map.Entry<String, Place> place : places.entrySet()) {
      if (place.getKey().startsWith("aggregator/")) {
        most = Math.max(most, place.getValue().node().takeLateNanos());
      }
    }
    return most / 1e9;
  }

  /** The nodes of the tiers by name. */
  Map<String, Place> places() {
    return places;
  }

  /** Starts what belongs on a node. */
  private interface Starter {
    void start(Node node);
  }

  /** A node's name and position, whatever process runs there now. */
  final class Place {

    private final String location;
    private final Starter starter;
    private Node node;

    private Place(String location, Starter starter) {
      this.location = location;
      this.starter = starter;
      this.node = new Node(worlds.apply(location), location, location, 0); // until it starts
    }

    Node node() {
      return node;
    }

    void start(String name) {
      node = newNode(name, location);
      starter.start(node);
    }
  }
}
