package io.headgate.simulator.run;

import io.headgate.agent.HeadgateAgent;
import io.headgate.protocol.v1.Report;
import io.headgate.simulator.world.Node;
import java.util.ArrayList;
import java.util.List;

/** A process that makes calls, with its agent. */
final class Host {

  private final String name;
  private final String region;
  private final String zone;
  private final List<Flow> flows = new ArrayList<>();
  private Node node;
  private HeadgateAgent agent;
  private Reported reported;
  private long startedNanos;

  Host(String name, String region, String zone, Node node, HeadgateAgent agent, Reported reported) {
    this.name = name;
    this.region = region;
    this.zone = zone;
    this.node = node;
    this.agent = agent;
    this.reported = reported;
  }

  String name() {
    return name;
  }

  String region() {
    return region;
  }

  String zone() {
    return zone;
  }

  Node node() {
    return node;
  }

  HeadgateAgent agent() {
    return agent;
  }

  List<Flow> flows() {
    return flows;
  }

  Reported reported() {
    return reported;
  }

  /** When its process started, counted from the world's beginning. */
  double startedSeconds() {
    return startedNanos / 1e9;
  }

  /** It runs again, as a new process. */
  void restarted(Node node, HeadgateAgent agent, Reported reported) {
    this.node = node;
    this.agent = agent;
    this.reported = reported;
    startedNanos = node.nanoTime();
    for (Flow flow : flows) {
      flow.gate(
          agent.gate(
              flow.traffic().service(), flow.traffic().caller(), flow.traffic().procedure()));
    }
  }

  /** What an agent has told in its reports, over all buckets and streams. */
  static final class Reported {

    private long offered;

    void add(Report report) {
      for (long count : report.getOfferedList()) {
        offered += count;
      }
    }

    long offered() {
      return offered;
    }
  }
}
