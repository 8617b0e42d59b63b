package io.headgate.server.demo.sample;

import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.headgate.agent.HeadgateAgent;
import io.headgate.core.rule.Location;
import io.headgate.core.rule.ServiceRules;
import io.headgate.server.demo.load.Flow;
import io.headgate.server.demo.load.LoadProfile;
import io.headgate.server.demo.measure.Census;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Callers that judge their calls themselves, by agents. */
public final class AgentCallers implements Callers {

  private record Running(Population.Member member, AgentCaller caller) {}

  private final CallOutcomes outcomes = new CallOutcomes();
  private final List<Running> running = new ArrayList<>();

  private AgentCallers() {}

  /**
   * Starts all of them.
   *
   * @param server what they call
   * @param threads for their gRPC calls
   * @param aggregators the addresses of the aggregators of a zone
   */
  public static AgentCallers start(
      PaymentsServer server, EventLoopGroup threads, Function<String, List<String>> aggregators) {
    AgentCallers callers = new AgentCallers();
    for (Population.Member member : Population.MEMBERS) {
      HeadgateAgent agent =
          HeadgateAgent.builder()
              .service(member.name())
              .region(member.location().region())
              .zone(member.location().zone())
              .aggregators(aggregators.apply(member.location().zone()))
              .build();
      callers.running.add(
          new Running(member, new AgentCaller(agent, server, threads, callers.outcomes)));
    }
    return callers;
  }

  private List<HeadgateAgent> agents() {
    return running.stream().map(each -> each.caller.agent()).toList();
  }

  @Override
  public List<Location> locations() {
    return running.stream().map(each -> each.member.location()).toList();
  }

  /** Whether all of them know the rules. */
  @Override
  public boolean areReady() {
    return agents().stream().allMatch(agent -> agent.status().configVersion() > 0);
  }

  @Override
  public CallOutcomes outcomes() {
    return outcomes;
  }

  /** As the agents have counted. */
  @Override
  public Census census(ServiceRules rules) {
    return Census.take(agents());
  }

  @Override
  public List<Flow> flows(double mainLimitPerSecond, Function<Location, LoadProfile> profiles) {
    List<Flow> flows = new ArrayList<>();
    for (Running each : running) {
      AgentCaller caller = each.caller;
      double usual = mainLimitPerSecond * each.member.share();
      LoadProfile profile = profiles.apply(each.member.location());
      flows.add(new Flow(usual * SampleRules.CHARGES, profile, () -> caller.call(Payments.CHARGE)));
      flows.add(new Flow(usual * SampleRules.REFUNDS, profile, () -> caller.call(Payments.REFUND)));
      flows.add(new Flow(usual * SampleRules.LOOKUPS, profile, () -> caller.call(Payments.LOOKUP)));
      flows.add(new Flow(usual * SampleRules.BALANCES, profile, caller::getBalance));
    }
    return flows;
  }

  @Override
  public void close() {
    // At once, because each agent waits for an aggregator that may be gone.
    CompletableFuture.allOf(
            running.stream()
                .map(each -> CompletableFuture.runAsync(each.caller::close, AgentCallers::onThread))
                .toArray(CompletableFuture[]::new))
        .join();
  }

  private static void onThread(Runnable task) {
    Thread thread = new Thread(task, "demo-close");
    thread.setDaemon(true);
    thread.start();
  }
}
