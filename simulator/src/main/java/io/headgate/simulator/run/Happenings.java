package io.headgate.simulator.run;

import io.headgate.simulator.scenario.Event;
import io.headgate.simulator.scenario.Scenario;
import io.headgate.simulator.world.Network;
import io.headgate.simulator.world.Node;
import io.headgate.simulator.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Makes a scenario's events happen. */
final class Happenings {

  private final Scenario scenario;
  private final World world;
  private final Network network;
  private final Tiers tiers;
  private final Fleet fleet;
  private final RandomGenerator random;

  Happenings(Scenario scenario, World world, Network network, Tiers tiers, Fleet fleet) {
    this.scenario = scenario;
    this.world = world;
    this.network = network;
    this.tiers = tiers;
    this.fleet = fleet;
    this.random = world.random();
  }

  void schedule() {
    for (Event event : scenario.events()) {
      world.after(nanos(event.atSeconds()), () -> happen(event));
    }
  }

  private void happen(Event event) {
    if (event instanceof Event.Kill kill) {
      kill(kill);
    } else if (event instanceof Event.Restart restart) {
      restart(restart.node());
    } else if (event instanceof Event.Pause pause) {
      for (Stopping stopping : stoppings(pause)) {
        if (pause.everySeconds() == 0) {
          stop(stopping, pause.forSeconds());
        } else {
          stopAgain(stopping, pause);
        }
      }
    } else if (event instanceof Event.Slow slow) {
      List<Node> nodes = nodes(slow.node());
      nodes.forEach(node -> node.slow(nanos(slow.eachSeconds())));
      world.after(nanos(slow.forSeconds()), () -> nodes.forEach(node -> node.slow(0)));
    } else if (event instanceof Event.Break broken) {
      nodes(broken.node()).forEach(network::breakStreams);
    } else if (event instanceof Event.Cut cut) {
      network.cut(cut.place(), cut.other());
      world.after(nanos(cut.forSeconds()), () -> network.mend(cut.place(), cut.other()));
    } else if (event instanceof Event.WeatherChange change) {
      network.weather(change.weather());
    } else if (event instanceof Event.RuleChange change) {
      tiers.updateRules(change.rules());
    }
  }

  private List<Stopping> stoppings(Event.Pause pause) {
    if (!pause.callsOnly()) {
      return nodes(pause.node()).stream()
          .map(node -> new Stopping(node::pause, node::resume))
          .toList();
    }
    return fleet.hosts().stream()
        .filter(host -> host.name().startsWith(pause.node()))
        .map(host -> new Stopping(() -> host.stall(true), () -> host.stall(false)))
        .toList();
  }

  private void stop(Stopping stopping, double seconds) {
    stopping.stop().run();
    world.after(nanos(seconds), stopping.goOn());
  }

  /** They do not stop in step: each at random times, as a process does that collects garbage. */
  private void stopAgain(Stopping stopping, Event.Pause pause) {
    double seconds = 2 * random.nextDouble() * pause.forSeconds();
    double wait = -Math.log1p(-random.nextDouble()) * pause.everySeconds();
    world.after(
        nanos(wait),
        () -> {
          stop(stopping, seconds);
          world.after(nanos(seconds), () -> stopAgain(stopping, pause));
        });
  }

  /** What can stand still for a while. */
  private record Stopping(Runnable stop, Runnable goOn) {}

  private void kill(Event.Kill kill) {
    for (Node node : nodes(kill.node())) {
      if (kill.share() >= 1 || random.nextDouble() < kill.share()) {
        network.kill(node);
      }
    }
  }

  private void restart(String prefix) {
    tiers
        .places()
        .forEach(
            (name, place) -> {
              if (name.startsWith(prefix) && !place.node().isAlive()) {
                place.start(name);
              }
            });
    for (Host host : fleet.hosts()) {
      if (host.name().startsWith(prefix) && !host.node().isAlive()) {
        fleet.restart(host);
      }
    }
  }

  private List<Node> nodes(String prefix) {
    List<Node> found = new ArrayList<>();
    tiers
        .places()
        .forEach(
            (name, place) -> {
              if (name.startsWith(prefix)) {
                found.add(place.node());
              }
            });
    for (Host host : fleet.hosts()) {
      if (host.name().startsWith(prefix)) {
        found.add(host.node());
      }
    }
    return found;
  }

  private static long nanos(double seconds) {
    return Math.round(seconds * 1e9);
  }
}
