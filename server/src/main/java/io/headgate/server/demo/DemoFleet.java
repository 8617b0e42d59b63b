package io.headgate.server.demo;

import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioEventLoopGroup;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import io.headgate.control.rules.DirectoryRuleStore;
import io.headgate.control.rules.RuleSnapshot;
import io.headgate.core.rule.ServiceRules;
import io.headgate.envoy.process.EnvoyBinary;
import io.headgate.server.command.Termination;
import io.headgate.server.demo.cluster.LocalCluster;
import io.headgate.server.demo.cluster.Shape;
import io.headgate.server.demo.measure.Census;
import io.headgate.server.demo.sample.AgentCallers;
import io.headgate.server.demo.sample.Callers;
import io.headgate.server.demo.sample.EnvoyCallers;
import io.headgate.server.demo.sample.Payments;
import io.headgate.server.demo.sample.PaymentsServer;
import io.headgate.server.demo.sample.SampleEnvoys;
import io.headgate.server.terminal.UserError;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * All that the demo runs: the control plane, and Envoys if these judge, as processes of their own;
 * the sample service, its callers and their agents in this one.
 */
final class DemoFleet implements AutoCloseable {

  private static final long RULES_TIMEOUT_NANOS = 30_000_000_000L;
  private static final long POLL_MILLIS = 20;

  /**
   * The calls have threads of their own. They would otherwise share those of the agents, which
   * would then report late whenever there are many calls; in processes of their own they would not.
   */
  private static final int CALL_THREADS = 2;

  /** Two processors must do: here the calls that are dropped go through a proxy too. */
  static final double LOAD_FACTOR_OF_ENVOYS = 0.3;

  private final EventLoopGroup callThreads;
  private final LocalCluster cluster;
  private final DirectoryRuleStore rules;
  private final PaymentsServer server;
  private final @Nullable SampleEnvoys envoys;
  private final Callers callers;

  private DemoFleet(
      EventLoopGroup callThreads,
      LocalCluster cluster,
      DirectoryRuleStore rules,
      PaymentsServer server,
      @Nullable SampleEnvoys envoys,
      Callers callers) {
    this.callThreads = callThreads;
    this.cluster = cluster;
    this.rules = rules;
    this.server = server;
    this.envoys = envoys;
    this.callers = callers;
  }

  /**
   * Starts all of it.
   *
   * @param envoy what judges the calls; null for agents of the callers
   * @throws IOException if something cannot be started; what was started is ended
   */
  static DemoFleet start(Path rules, Path logs, @Nullable EnvoyBinary envoy)
      throws IOException, InterruptedException {
    Shape shape = envoy == null ? Shape.twoRegions() : Shape.twoZonesOfEnvoys();
    LocalCluster cluster = LocalCluster.start(shape, rules, logs);
    try {
      EventLoopGroup threads =
          new NioEventLoopGroup(CALL_THREADS, new DefaultThreadFactory("demo-calls", true));
      PaymentsServer server = PaymentsServer.start(threads);
      @Nullable SampleEnvoys envoys =
          envoy == null ? null : SampleEnvoys.start(envoy, server, cluster.envoyAddresses());
      Callers callers =
          envoys == null
              ? AgentCallers.start(server, threads, cluster::aggregatorAddresses)
              : EnvoyCallers.start(envoys, threads);
      return new DemoFleet(
          threads, cluster, DirectoryRuleStore.open(rules), server, envoys, callers);
    } catch (IOException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  /**
   * Waits until all calls are judged by the rules.
   *
   * @return false if the end was asked for before
   */
  boolean awaitRules(Termination termination) throws InterruptedException {
    long deadline = System.nanoTime() + RULES_TIMEOUT_NANOS;
    while (!callers.areReady()) {
      if (System.nanoTime() - deadline > 0) {
        throw UserError.failed("the rules have not come to all callers; see the logs of the tiers");
      }
      if (termination.await(POLL_MILLIS)) {
        return false;
      }
    }
    return true;
  }

  /** The control plane. */
  LocalCluster cluster() {
    return cluster;
  }

  /** The rules and what is wrong with them, as the controllers see them. */
  RuleSnapshot rules() {
    return rules.current();
  }

  /** The rules of the sample service. */
  ServiceRules sampleRules() {
    return rules()
        .rules()
        .services()
        .getOrDefault(Payments.SERVICE, new ServiceRules(Payments.SERVICE, List.of()));
  }

  /** The Envoys before the service; none if agents judge. */
  @Nullable SampleEnvoys envoys() {
    return envoys;
  }

  /** How much is called, as a factor of what is called where agents judge. */
  double loadFactor() {
    return envoys == null ? 1 : LOAD_FACTOR_OF_ENVOYS;
  }

  /** The names of processes that have ended. */
  List<String> down() {
    List<String> down = new ArrayList<>();
    cluster.processes().filter(tier -> !tier.isAlive()).forEach(tier -> down.add(tier.name()));
    if (envoys != null) {
      envoys.all().stream()
          .filter(envoy -> !envoy.process().isAlive())
          .forEach(envoy -> down.add(envoy.name()));
    }
    return down;
  }

  /** Who calls. */
  Callers callers() {
    return callers;
  }

  /** What has been counted until now. */
  Census census() {
    return callers.census(sampleRules());
  }

  @Override
  public void close() {
    callers.close();
    rules.close();
    if (envoys != null) {
      envoys.close();
    }
    server.close();
    callThreads.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    cluster.close();
  }
}
