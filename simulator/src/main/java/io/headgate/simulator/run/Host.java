package io.headgate.simulator.run;

import io.headgate.simulator.world.Node;

/** A process that makes calls. */
final class Host {

  private final Flow flow;
  private Node node;
  private long startedNanos;
  private boolean stalled;

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

  /** Whether calls are made now; if not, they wait. */
  boolean makesCalls() {
    return node.isRunning() && !stalled;
  }

  void stall(boolean stalled) {
    this.stalled = stalled;
  }

  /** When its process started, counted from the world's beginning. */
  double startedSeconds() {
    return startedNanos / 1e9;
  }

  /** It runs again, as a new process. */
  void restarted(Node node, Judge judge, long nowNanos) {
    this.node = node;
    startedNanos = nowNanos;
    flow.judge(judge);
  }
}
