package io.headgate.simulator.run;

import io.headgate.protocol.RuleMessages;
import io.headgate.protocol.v1.AgentDirection;
import io.headgate.protocol.v1.AgentHello;
import io.headgate.protocol.v1.AgentMessage;
import io.headgate.protocol.v1.Rules;
import io.headgate.simulator.scenario.Crowd;
import io.headgate.simulator.scenario.Scenario;
import io.headgate.simulator.traffic.Binomial;
import io.headgate.simulator.world.Network;
import io.headgate.simulator.world.Node;
import io.headgate.simulator.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The hosts of a {@link Crowd} in one zone: makes them report in turn, and counts what they let
 * pass. Their reports are due at whole milliseconds, so that all of one millisecond are one event.
 */
final class LeanCrowd {

  private static final long MILLI = 1_000_000;

  /** Hosts differ in how busy they are, but not each from all others. */
  static final int KINDS = 16;

  /** Hosts start one after the other from this time on, for the length of an interval. */
  static final long FIRST_START_NANOS = 500 * MILLI;

  /** As an agent, a host waits for this part of an interval before its first report. */
  private static final int LEAST_PART_OF_INTERVAL = 4;

  private final Scenario scenario;
  private final Crowd crowd;
  private final String zone;
  private final World world;
  private final Tiers tiers;
  private final Recorder recorder;
  private final RandomGenerator random;
  private final long intervalNanos;
  private final double steadyFrom;
  private final double steadyUntil;
  private final List<CrowdCalls> calls = new ArrayList<>();
  private final List<AgentHost> agents = new ArrayList<>();
  private final List<List<LeanHost>> dueAt = new ArrayList<>();
  private final CrowdCalls[] callsOfSlot;
  private final int[] slotInCalls;
  private final Sent ofLean = new Sent();
  private final Sent ofAgents = new Sent();
  private @Nullable Rules known;
  private int agentHosts;
  private long heardBytes;
  private long lapsed;
  private int turn;

  /**
   * Hosts at rest.
   *
   * @param weights how much hosts of each kind call, 1 on average
   * @param world where the zone is
   */
  LeanCrowd(
      Scenario scenario, Crowd crowd, String zone, double[] weights, World world, Tiers tiers) {
    this.scenario = scenario;
    this.crowd = crowd;
    this.zone = zone;
    this.world = world;
    this.tiers = tiers;
    recorder = new Recorder(scenario);
    random = world.random();
    intervalNanos = Math.round(scenario.loop().reportSeconds() * 1e9);
    steadyFrom = scenario.watch().fromSeconds() * 1e9;
    steadyUntil = scenario.watch().untilSeconds() * 1e9;
    callsOfSlot = new CrowdCalls[crowd.bucketsPerHost()];
    slotInCalls = new int[crowd.bucketsPerHost()];
    int slot = 0;
    for (Crowd.Calls each : crowd.calls()) {
      CrowdCalls made = new CrowdCalls(each, crowd.hosts(), weights, intervalNanos);
      scenario.rules().stream()
          .filter(service -> service.service().equals(crowd.service()))
          .forEach(service -> made.rules(service, crowd.caller(), scenario.watch().rule()));
      calls.add(made);
      for (int i = 0; i < each.each(); i++, slot++) {
        callsOfSlot[slot] = made;
        slotInCalls[slot] = i;
      }
    }
  }

  /**
   * Starts its hosts; every so many is one with a production agent.
   *
   * @param from the number of the first
   * @param until the number after the last
   */
  void start(Network network, int from, int until) {
    for (int milli = 0; milli < intervalNanos / MILLI; milli++) {
      dueAt.add(new ArrayList<>());
    }
    Node node = tiers.newNode("crowd/" + zone, zone);
    List<String> addresses = tiers.aggregators(zone);
    for (int number = from; number < until; number++) {
      int kind = random.nextInt(KINDS);
      for (CrowdCalls each : calls) {
        each.join(number, kind);
      }
      if (isAgent(number)) {
        startAgent(network, number, kind);
      } else {
        start(
            network,
            node,
            addresses.get(number % addresses.size()),
            new LeanHost(this, number, kind));
      }
    }
    world.after(MILLI, this::next);
    world.after(AgentHost.SLICE_NANOS, this::slice);
  }

  private void startAgent(Network network, int number, int kind) {
    agentHosts++;
    world.after(
        FIRST_START_NANOS + random.nextLong(intervalNanos),
        () -> agents.add(new AgentHost(this, scenario, tiers, network, zone, number, kind)));
  }

  /** It starts when it is to report later; its first report is due sooner after that. */
  private void start(Network network, Node node, String address, LeanHost host) {
    int due = random.nextInt(dueAt.size());
    world.after(
        FIRST_START_NANOS + due * MILLI,
        () -> {
          dueAt.get(due).add(host);
          host.start(
              network.connector(node, ofLean::measure),
              address,
              hello(host.number()),
              crowd.service());
          world.after(intervalNanos / LEAST_PART_OF_INTERVAL, () -> host.report(0));
        });
  }

  /** The run is over: makes the calls that have not been reported. */
  void finish() {
    for (List<LeanHost> due : dueAt) {
      due.forEach(LeanHost::finish);
    }
  }

  private boolean isAgent(int number) {
    return (long) number * crowd.agents() / crowd.hosts()
        != (long) (number + 1) * crowd.agents() / crowd.hosts();
  }

  private AgentHello hello(int number) {
    return AgentHello.newBuilder()
        .setClientId("host/" + number)
        .setEpoch(1)
        .setService(crowd.caller())
        .setRegion(tiers.regionOf(zone))
        .setZone(zone)
        .setVersion("unpackaged")
        .build();
  }

  private void next() {
    for (LeanHost host : dueAt.get(turn)) {
      host.report(intervalNanos / LEAST_PART_OF_INTERVAL);
    }
    turn = turn + 1 == dueAt.size() ? 0 : turn + 1;
    world.after(MILLI, this::next);
  }

  private void slice() {
    agents.forEach(AgentHost::pass);
    world.after(AgentHost.SLICE_NANOS, this::slice);
  }

  // ---- for hosts

  World world() {
    return world;
  }

  Crowd crowd() {
    return crowd;
  }

  long nowNanos() {
    return world.nowNanos();
  }

  RandomGenerator random() {
    return random;
  }

  List<CrowdCalls> calls() {
    return calls;
  }

  /** How many buckets a host has. */
  int slots() {
    return callsOfSlot.length;
  }

  CrowdCalls callsOf(int slot) {
    return callsOfSlot[slot];
  }

  /** Which of a host's calls of its kind a slot is. */
  int slotIn(int slot) {
    return slotInCalls[slot];
  }

  /** Hosts are all told the same. */
  void rules(Rules rules) {
    if (rules != known) {
      known = rules;
      RuleMessages.services(rules).stream()
          .filter(service -> service.service().equals(crowd.service()))
          .forEach(
              service ->
                  calls.forEach(
                      each -> each.rules(service, crowd.caller(), scenario.watch().rule())));
    }
  }

  long draw(CrowdCalls calls, int procedure, int kind, long fromNanos, long toNanos) {
    return calls.draw(procedure, kind, fromNanos, toNanos, random);
  }

  /** Of some calls, how many are dropped. */
  long drop(long offered, double acceptRatio) {
    return acceptRatio >= 1 ? 0 : offered - Binomial.draw(offered, acceptRatio, random);
  }

  /** The part of the time between two times that is in the steady time. */
  double steadyPart(long fromNanos, long toNanos) {
    double within = Math.min(toNanos, steadyUntil) - Math.max(fromNanos, steadyFrom);
    return Math.max(0, within / (toNanos - fromNanos));
  }

  /** Notes what became of calls that were made between two times. */
  void count(
      CrowdCalls calls, int procedure, long fromNanos, long toNanos, long offered, long dropped) {
    calls.count(procedure, offered, dropped, steadyPart(fromNanos, toNanos));
    if (calls.isWatched() && offered > 0) {
      recorder.spread(fromNanos / 1e9, toNanos / 1e9, offered, offered - dropped);
    }
  }

  void heard(AgentDirection message) {
    heardBytes += message.getSerializedSize();
  }

  /** A directive's time to live was over; the ratio that is in force then. */
  double lapsed() {
    lapsed++;
    return 1;
  }

  // ---- for figures

  /** What lean hosts have sent. */
  Sent ofLean() {
    return ofLean;
  }

  /** What production agents have sent. */
  Sent ofAgents() {
    return ofAgents;
  }

  Recorder recorder() {
    return recorder;
  }

  int agentHosts() {
    return agentHosts;
  }

  /** The bytes of message that lean hosts have been sent. */
  long heardBytes() {
    return heardBytes;
  }

  /** How often a directive was found to have run out. */
  long lapses() {
    return lapsed;
  }

  /** What some hosts have sent. */
  static final class Sent {

    /** The network's own count is not for several threads. */
    private static final long NOT_COUNTED = -1;

    private long messages;
    private long reports;
    private long bytes;

    long measure(AgentMessage message) {
      int size = message.getSerializedSize();
      messages++;
      reports += message.hasReport() ? 1 : 0;
      bytes += size;
      return NOT_COUNTED;
    }

    long messages() {
      return messages;
    }

    long reports() {
      return reports;
    }

    long bytes() {
      return bytes;
    }
  }
}
