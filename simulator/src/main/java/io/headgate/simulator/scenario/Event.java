package io.headgate.simulator.scenario;

import io.headgate.core.rule.ServiceRules;
import io.headgate.simulator.world.Weather;
import java.util.List;

/** Something that happens during a simulation. */
public sealed interface Event {

  /** When, in seconds from the beginning. */
  double atSeconds();

  /** Nodes whose names begin with a prefix die; for hosts, of these the given share. */
  record Kill(double atSeconds, String node, double share) implements Event {}

  /** Killed nodes whose names begin with a prefix start again, empty. */
  record Restart(double atSeconds, String node) implements Event {}

  /**
   * Nodes whose names begin with a prefix stop for a while, then go on; calls that hosts would have
   * made meanwhile are made then.
   *
   * @param callsOnly whether only the calls of hosts stop, not their agents: threads that wait for
   *     a processor while others run
   * @param everySeconds how far apart on average each node stops again, at random times and for
   *     random times around {@code forSeconds}; 0: all stop together, once
   */
  record Pause(
      double atSeconds, String node, boolean callsOnly, double forSeconds, double everySeconds)
      implements Event {}

  /**
   * The streams of nodes whose names begin with a prefix break: what is under way on them is lost,
   * both ways, and both ends hear of it.
   */
  record Break(double atSeconds, String node) implements Event {}

  /**
   * Nodes whose names begin with a prefix have little of a processor for a while: each message and
   * each timer takes them so long.
   */
  record Slow(double atSeconds, String node, double eachSeconds, double forSeconds)
      implements Event {}

  /** Two places are cut off from one another for a while. */
  record Cut(double atSeconds, String place, String other, double forSeconds) implements Event {}

  /** The network changes. */
  record WeatherChange(double atSeconds, Weather weather) implements Event {}

  /** The rules change. */
  record RuleChange(double atSeconds, List<ServiceRules> rules) implements Event {}
}
