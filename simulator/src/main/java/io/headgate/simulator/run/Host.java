package io.headgate.simulator.run;

import io.headgate.agent.HeadgateAgent;
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

  Host(String name, String region, String zone, Node node, HeadgateAgent agent) {
    this.name = name;
    this.region = region;
    this.zone = zone;
    this.node = node;
    this.agent = agent;
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

  /** It runs again, as a new process. */
  void restarted(Node node, HeadgateAgent agent) {
    this.node = node;
    this.agent = agent;
    for (Flow flow : flows) {
      flow.gate(
          agent.gate(
              flow.traffic().service(), flow.traffic().caller(), flow.traffic().procedure()));
    }
  }
}
