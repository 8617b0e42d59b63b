package io.headgate.server.demo.cluster;

import io.headgate.core.rule.Location;
import io.headgate.server.demo.cluster.Shape.Region;
import io.headgate.server.demo.cluster.Shape.Zone;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * A whole control plane as processes on this machine, that all read the same directory of rules.
 * They end with this process.
 */
public final class LocalCluster implements AutoCloseable {

  /** A place for one process, before it is started. */
  private record Place(String name, int grpcPort, int httpPort) {
    static Place of(String name, FreePorts ports) throws IOException {
      return new Place(name, ports.next(), ports.next());
    }

    String address() {
      return "127.0.0.1:" + grpcPort;
    }
  }

  private final Map<String, List<ServerProcess>> controllers = new LinkedHashMap<>();
  private final Map<String, List<ServerProcess>> aggregators = new LinkedHashMap<>();
  private final Map<Location, String> forEnvoys = new LinkedHashMap<>();

  private LocalCluster() {}

  /**
   * Starts all of it and waits until all of it serves.
   *
   * @param rules the directory of rule files
   * @param logs the directory of log files; made if it does not exist
   * @throws IOException if a process cannot be started; those that were are ended
   */
  public static LocalCluster start(Shape shape, Path rules, Path logs)
      throws IOException, InterruptedException {
    Files.createDirectories(logs);
    LocalCluster cluster = new LocalCluster();
    boolean started = false;
    try {
      cluster.launch(shape, rules, logs);
      for (ServerProcess process : cluster.processes().toList()) {
        process.awaitReady();
      }
      started = true;
    } finally {
      if (!started) {
        cluster.close();
      }
    }
    return cluster;
  }

  private void launch(Shape shape, Path rules, Path logs) throws IOException {
    FreePorts ports = new FreePorts(RandomGenerator.getDefault());
    Map<String, List<Place>> places = new LinkedHashMap<>();
    for (Region region : shape.regions()) {
      places.put(region.name(), places("controller-" + region.name(), region.controllers(), ports));
    }
    for (Region region : shape.regions()) {
      List<Place> here = places.getOrDefault(region.name(), List.of());
      List<String> arguments = new ArrayList<>(List.of("--region", region.name()));
      arguments.addAll(List.of("--role", "controller", "--rules", rules.toString()));
      arguments.addAll(List.of("--expect-aggregators", Integer.toString(region.aggregators())));
      String peers = addresses(placesElsewhere(places, region.name()));
      if (!peers.isEmpty()) {
        arguments.addAll(List.of("--peers", peers));
      }
      controllers.put(region.name(), launch(here, arguments, logs));
      for (Zone zone : region.zones()) {
        aggregators.put(zone.name(), launchAggregators(region, zone, here, ports, logs));
      }
    }
  }

  private List<ServerProcess> launchAggregators(
      Region region, Zone zone, List<Place> controllers, FreePorts ports, Path logs)
      throws IOException {
    List<String> arguments = new ArrayList<>(List.of("--region", region.name()));
    arguments.addAll(List.of("--zone", zone.name()));
    if (zone.envoys()) {
      String address = "127.0.0.1:" + ports.next();
      arguments.addAll(List.of("--role", "aggregator,envoy", "--envoy", address));
      forEnvoys.put(new Location(region.name(), zone.name()), address);
    } else {
      arguments.addAll(List.of("--role", "aggregator"));
    }
    arguments.addAll(List.of("--controllers", addresses(controllers)));
    return launch(places("aggregator-" + zone.name(), zone.aggregators(), ports), arguments, logs);
  }

  private static List<Place> places(String name, int count, FreePorts ports) throws IOException {
    List<Place> places = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      places.add(Place.of(count == 1 ? name : name + "-" + (char) ('a' + i - 1), ports));
    }
    return places;
  }

  private static List<Place> placesElsewhere(Map<String, List<Place>> places, String region) {
    List<Place> elsewhere = new ArrayList<>();
    places.forEach(
        (other, there) -> {
          if (!other.equals(region)) {
            elsewhere.addAll(there);
          }
        });
    return elsewhere;
  }

  private static String addresses(List<Place> places) {
    return String.join(",", places.stream().map(Place::address).toList());
  }

  private static List<ServerProcess> launch(List<Place> places, List<String> arguments, Path logs)
      throws IOException {
    List<ServerProcess> launched = new ArrayList<>();
    for (Place place : places) {
      List<String> all = new ArrayList<>(arguments);
      all.addAll(List.of("--id", place.name()));
      launched.add(
          ServerProcess.launch(place.name(), all, place.grpcPort(), place.httpPort(), logs));
    }
    return launched;
  }

  /** The controllers of a region. */
  public List<ServerProcess> controllers(String region) {
    return controllers.getOrDefault(region, List.of());
  }

  /** The controllers of all regions. */
  public List<ServerProcess> controllers() {
    return controllers.values().stream().flatMap(List::stream).toList();
  }

  /** The aggregators of a zone. */
  public List<ServerProcess> aggregators(String zone) {
    return aggregators.getOrDefault(zone, List.of());
  }

  /** Where agents of a zone connect to. */
  public List<String> aggregatorAddresses(String zone) {
    return aggregators(zone).stream().map(ServerProcess::grpcAddress).toList();
  }

  /** Where Envoys connect to, by the place of these. */
  public Map<Location, String> envoyAddresses() {
    return Map.copyOf(forEnvoys);
  }

  /** All processes, controllers first. */
  public Stream<ServerProcess> processes() {
    return Stream.concat(controllers.values().stream(), aggregators.values().stream())
        .flatMap(List::stream);
  }

  /** Ends all processes and waits until they have ended. */
  @Override
  public void close() {
    List<ServerProcess> all = processes().toList();
    all.forEach(ServerProcess::askToStop);
    try {
      for (ServerProcess process : all) {
        process.awaitStop();
      }
    } catch (InterruptedException e) {
      // Their standard input ends with this process, and they with it.
      Thread.currentThread().interrupt();
    }
  }
}
