package io.headgate.server.demo;

import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioEventLoopGroup;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import io.headgate.agent.HeadgateAgent;
import io.headgate.control.rules.DirectoryRuleStore;
import io.headgate.control.rules.RuleSnapshot;
import io.headgate.server.command.Termination;
import io.headgate.server.demo.cluster.LocalCluster;
import io.headgate.server.demo.cluster.Shape;
import io.headgate.server.demo.measure.Census;
import io.headgate.server.demo.sample.Callers;
import io.headgate.server.demo.sample.PaymentsServer;
import io.headgate.server.terminal.UserError;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * All that the demo runs: the control plane as processes of its own; the sample service, its
 * callers and their agents in this one.
 */
final class DemoFleet implements AutoCloseable {

  private static final long RULES_TIMEOUT_NANOS = 30_000_000_000L;
  private static final long POLL_MILLIS = 20;

  /**
   * The calls have threads of their own. They would otherwise share those of the agents, which
   * would then report late whenever there are many calls; in processes of their own they would not.
   */
  private static final int CALL_THREADS = 2;

  private final EventLoopGroup callThreads;
  private final LocalCluster cluster;
  private final DirectoryRuleStore rules;
  private final PaymentsServer server;
  private final Callers callers;

  private DemoFleet(
      EventLoopGroup callThreads,
      LocalCluster cluster,
      DirectoryRuleStore rules,
      PaymentsServer server,
      Callers callers) {
    this.callThreads = callThreads;
    this.cluster = cluster;
    this.rules = rules;
    this.server = server;
    this.callers = callers;
  }

  /**
   * Starts all of it.
   *
   * @throws IOException if something cannot be started; what was started is ended
   */
  static DemoFleet start(Path rules, Path logs) throws IOException, InterruptedException {
    LocalCluster cluster = LocalCluster.start(Shape.twoRegions(), rules, logs);
    try {
      EventLoopGroup threads =
          new NioEventLoopGroup(CALL_THREADS, new DefaultThreadFactory("demo-calls", true));
      PaymentsServer server = PaymentsServer.start(threads);
      Callers callers = Callers.start(server, threads, cluster::aggregatorAddresses);
      return new DemoFleet(threads, cluster, DirectoryRuleStore.open(rules), server, callers);
    } catch (IOException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  /**
   * Waits until all callers know the rules.
   *
   * @return false if the end was asked for before
   */
  boolean awaitRules(Termination termination) throws InterruptedException {
    long deadline = System.nanoTime() + RULES_TIMEOUT_NANOS;
    while (!callers.agents().stream().allMatch(DemoFleet::hasRules)) {
      if (System.nanoTime() - deadline > 0) {
        throw UserError.failed("the rules have not come to all callers; see the logs of the tiers");
      }
      if (termination.await(POLL_MILLIS)) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasRules(HeadgateAgent agent) {
    return agent.status().configVersion() > 0;
  }

  /** The control plane. */
  LocalCluster cluster() {
    return cluster;
  }

  /** The rules and what is wrong with them, as the controllers see them. */
  RuleSnapshot rules() {
    return rules.current();
  }

  /** Who calls. */
  Callers callers() {
    return callers;
  }

  /** What has been counted until now. */
  Census census() {
    return Census.take(callers.agents());
  }

  @Override
  public void close() {
    callers.close();
    rules.close();
    server.close();
    callThreads.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    cluster.close();
  }
}
