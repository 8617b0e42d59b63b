package io.headgate.simulator.run;

import io.headgate.simulator.scenario.Scenario;
import io.headgate.simulator.world.Network;
import io.headgate.simulator.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** A scenario under way, for those who want to look at it between its beginning and its end. */
public final class ScenarioRun {

  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * A controller takes an aggregator for lost at the latest so long after its last report, at a
   * tick, and then holds its demand for a time to live.
   */
  private static final double SILENT_SECONDS = 3.5;

  private final Scenario scenario;
  private final World world;
  private final Tiers tiers;
  private final ControlLoop loop;
  private final Fleet fleet;
  private final Witness witness;

  private ScenarioRun(Scenario scenario, long seed) {
    this.scenario = scenario;
    world = new World(seed);
    Network network = new Network(world, scenario.weather());
    witness = new Witness(world::nowNanos, SILENT_SECONDS + scenario.loop().ttlSeconds());
    tiers = new Tiers(scenario, world, network, witness);
    RandomGenerator traffic = world.random();
    loop = new ControlLoop(scenario.loop(), world, network, tiers);
    fleet = new Fleet(scenario, world, loop, tiers, new Recorder(scenario), traffic);
    fleet.start();
    new Happenings(scenario, world, network, tiers, fleet).schedule();
  }

  /** Begins a scenario; the same scenario and seed give the same sights. */
  public static ScenarioRun begin(Scenario scenario, long seed) {
    return new ScenarioRun(scenario, seed);
  }

  /** Lets time pass up to a moment, which is not after the scenario's end. */
  public void runUntil(double seconds) {
    world.runUntil(Math.round(seconds * NANOS_PER_SECOND));
  }

  /** The zones as they are now. */
  public List<Sight.ZoneSight> zones() {
    List<String> regions = scenario.regions().stream().map(Scenario.Region::name).toList();
    boolean connected = tiers.areConnected(regions);
    List<Sight.ZoneSight> zones = new ArrayList<>();
    for (Scenario.Region region : scenario.regions()) {
      for (String zone : region.zones()) {
        zones.add(new Sight.ZoneSight(zone, region.name(), tiers.isReached(zone), connected));
      }
    }
    return zones;
  }

  /** What can be seen now. */
  public Sight look() {
    double seconds = world.nowNanos() / NANOS_PER_SECOND;
    List<Sight.HostSight> hosts = new ArrayList<>();
    for (Host host : fleet.hosts()) {
      Flow flow = host.flow();
      boolean running = host.node().isRunning();
      hosts.add(
          new Sight.HostSight(
              host.name(),
              host.node().place(),
              flow.traffic().name(),
              running,
              host.startedSeconds(),
              running ? flow.perSecond(seconds) * flow.traffic().attempts() : 0,
              flow.offered(),
              flow.admitted(),
              loop.reported(host.name()),
              loop.buckets(host.name())));
    }
    return new Sight(seconds, hosts, zones(), witness.takeRulings());
  }
}
