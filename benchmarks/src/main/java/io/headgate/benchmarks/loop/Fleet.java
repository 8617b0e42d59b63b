package io.headgate.benchmarks.loop;

import io.headgate.agent.AgentStatus;
import io.headgate.agent.HeadgateAgent;
import io.headgate.benchmarks.BenchmarkFailure;
import io.headgate.protocol.link.Connector;
import io.headgate.protocol.link.GrpcConnector;
import io.headgate.protocol.link.ThreadEventLoop;
import io.headgate.protocol.v1.AgentDirection;
import io.headgate.protocol.v1.AgentMessage;
import io.headgate.protocol.v1.AggregationGrpc;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Real agents in this process, each with an HTTP/2 connection of its own, and calls for them to
 * judge. A few event loops are shared among them.
 */
final class Fleet implements AutoCloseable {

  private static final Logger AGENT_LOG = Logger.getLogger("io.headgate.agent");
  private static final int LOOPS = 2;

  /** How many may be on their way at once, so that none waits so long that it tries again. */
  private static final int MOST_CONNECTING = 50;

  private static final long READY_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long POLL_MILLIS = 5;

  private final String address;
  private final Traffic traffic = new Traffic();
  private final Reactions reactions = new Reactions();
  private final List<Probe> probes = new ArrayList<>();
  private final SplittableRandom seeds = new SplittableRandom(1);
  private final List<ThreadEventLoop> loops = new ArrayList<>();
  private final List<HeadgateAgent> agents = new ArrayList<>();
  private final Calls calls = new Calls();
  private int ready;

  /**
   * A fleet without agents.
   *
   * @param address of the aggregator
   */
  Fleet(String address) {
    this.address = address;
    AGENT_LOG.setLevel(Level.OFF); // Two thousand agents would say the same.
    for (int i = 0; i < LOOPS; i++) {
      loops.add(ThreadEventLoop.start("fleet-" + i));
    }
  }

  /** Starts all agents, and their calls once each agent has its rules. */
  void start() throws InterruptedException {
    for (int i = 0; i < Shape.AGENTS; i++) {
      addAgent(i);
      awaitReady(agents.size() - MOST_CONNECTING);
    }
    awaitReady(agents.size());
    calls.start();
  }

  private void awaitReady(int least) throws InterruptedException {
    long deadline = System.nanoTime() + READY_TIMEOUT_NANOS;
    while (ready < least) {
      if (isReady(agents.get(ready))) {
        ready++;
      } else if (System.nanoTime() > deadline) {
        throw new BenchmarkFailure(
            "loop: " + ready + " agents have rules (expected: " + least + ")");
      } else {
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      }
    }
  }

  private static boolean isReady(HeadgateAgent agent) {
    AgentStatus status = agent.status();
    return !status.aggregator().isEmpty() && status.configVersion() > 0;
  }

  Traffic traffic() {
    return traffic;
  }

  /**
   * Has probes move their demand from now on, and measure the times that {@link #reactions} has.
   */
  void beginProbing() {
    probes.forEach(Probe::begin);
  }

  Reactions reactions() {
    return reactions;
  }

  /** Agents that are connected and have rules. */
  long readyAgents() {
    return agents.stream().filter(Fleet::isReady).count();
  }

  private void addAgent(int index) {
    ThreadEventLoop loop = loops.get(index % LOOPS);
    Connector<AgentMessage, AgentDirection> grpc =
        new GrpcConnector<>(AggregationGrpc.getConnectMethod(), loop, traffic::open);
    boolean isProbe = index % (Shape.AGENTS / Shape.PROBES) == 0;
    if (!isProbe) {
      addCalls(agent(index, loop, grpc), Shape.BUCKETS);
      return;
    }
    Probe probe = new Probe(grpc, loop, seeds.split(), reactions);
    probes.add(probe);
    HeadgateAgent agent = agent(index, loop, probe);
    addCalls(agent, Shape.BUCKETS - 1);
    calls.add(agent.gate(Shape.PROBE_CALLER + index, Shape.PROBE_PROCEDURE), probe::callsPerSecond);
  }

  private HeadgateAgent agent(
      int index, ThreadEventLoop loop, Connector<AgentMessage, AgentDirection> connector) {
    HeadgateAgent agent =
        HeadgateAgent.builder()
            .service(Shape.SERVICE)
            .clientId("agent-" + index)
            .region(Shape.LOCATION.region())
            .zone(Shape.LOCATION.zone())
            .aggregators(address)
            .eventLoop(loop)
            .connector(connector)
            .random(seeds.split())
            .build();
    agents.add(agent);
    return agent;
  }

  private void addCalls(HeadgateAgent agent, int buckets) {
    for (int bucket = 0; bucket < buckets; bucket++) {
      calls.add(agent.gate("anyone", Shape.procedure(bucket)), () -> Shape.CALLS_PER_SECOND);
    }
  }

  /** Ends the calls and then the agents. */
  @Override
  public void close() {
    calls.close();
    for (int i = 0; i < agents.size(); i++) {
      loops.get(i % LOOPS).execute(agents.get(i)::close);
    }
    traffic.close();
    loops.forEach(ThreadEventLoop::close);
  }
}
