package io.headgate.simulator.campaign;

import io.headgate.simulator.scenario.Event;
import io.headgate.simulator.scenario.Scenario.Region;
import io.headgate.simulator.scenario.Traffic;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Draws what goes wrong: one to three faults, all over by a time that leaves the rest of the world
 * to recover and be judged. Only what has a twin to take over may stay dead.
 */
final class RandomFaults {

  private static final double FIRST_SECONDS = 8;
  private static final double LAST_BEGIN_SECONDS = 18;
  private static final double LAST_END_SECONDS = 40;

  /** Long enough for any time to live and ramp that is drawn to run out. */
  private static final double LONG_SECONDS = 20;

  private final Dice dice;
  private final List<Region> regions;
  private final List<Traffic> traffic;
  private final List<Event> events = new ArrayList<>();

  RandomFaults(Dice dice, List<Region> regions, List<Traffic> traffic) {
    this.dice = dice;
    this.regions = regions;
    this.traffic = traffic;
  }

  List<Event> draw() {
    int count = dice.between(1, 3);
    for (int fault = 0; fault < count; fault++) {
      drawOne(dice.between(FIRST_SECONDS, LAST_BEGIN_SECONDS));
    }
    events.sort(Comparator.comparingDouble(Event::atSeconds));
    return events;
  }

  private void drawOne(double at) {
    Region region = regions.get(dice.between(0, regions.size() - 1));
    String zone = region.zones().get(dice.between(0, region.zones().size() - 1));
    double length =
        dice.chance(0.3)
            ? LONG_SECONDS + dice.upTo(LAST_END_SECONDS - LONG_SECONDS - at)
            : dice.spread(0.3, 15);
    switch (dice.between(1, 8)) {
      case 1 -> kill("aggregator/" + zone + "/1", at, length, region.aggregators() > 1);
      case 2 -> kill("controller/" + region.name() + "/1", at, length, region.controllers() > 1);
      case 3 -> killHosts(at, length);
      case 4 -> kill("aggregator/" + zone + "/", at, length, false);
      case 5 -> kill("controller/" + region.name() + "/", at, length, false);
      case 6 -> events.add(new Event.Cut(at, zone, region.name(), length));
      case 7 -> cutRegions(region, at, length);
      default -> pause(region, zone, at, Math.min(length, 10));
    }
  }

  private void kill(String node, double at, double length, boolean mayStayDead) {
    events.add(new Event.Kill(at, node, 1));
    if (!mayStayDead || dice.chance(0.6)) {
      events.add(new Event.Restart(at + length, node));
    }
  }

  private void killHosts(double at, double length) {
    String hosts = traffic.get(dice.between(0, traffic.size() - 1)).name() + "/";
    events.add(new Event.Kill(at, hosts, dice.between(0.1, 0.7)));
    events.add(new Event.Restart(at + length, hosts));
  }

  private void cutRegions(Region region, double at, double length) {
    Region other = regions.get(dice.between(0, regions.size() - 1));
    if (other.equals(region)) {
      pause(region, region.zones().get(0), at, Math.min(length, 10));
    } else {
      events.add(new Event.Cut(at, region.name(), other.name(), length));
    }
  }

  private void pause(Region region, String zone, double at, double length) {
    String node =
        switch (dice.between(1, 3)) {
          case 1 -> "aggregator/" + zone + "/1";
          case 2 -> "controller/" + region.name() + "/1";
          default -> traffic.get(0).name() + "/1";
        };
    events.add(new Event.Pause(at, node, false, length, 0));
  }
}
