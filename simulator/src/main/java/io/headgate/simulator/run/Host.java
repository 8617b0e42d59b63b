package io.headgate.simulator.run;

import io.headgate.simulator.world.Node;

/** A process that makes calls. */
final class Host {

  private final Flow flow;
  private Node node;

  Host(Node node, Flow flow) {
    this.node = node;
    this.flow = flow;
  }

  String name() {
    return node.name();
  }

  Node node() {
    return node;
  }

  Flow flow() {
    return flow;
  }

  /** It runs again, as a new process. */
  void restarted(Node node, Judge judge) {
    this.node = node;
    flow.judge(judge);
  }
}
