package io.headgate.server.demo.sample;

import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.headgate.agent.HeadgateAgent;
import io.headgate.core.rule.Location;
import io.headgate.server.demo.load.Flow;
import io.headgate.server.demo.load.LoadProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** All callers of the sample service. */
public final class Callers implements AutoCloseable {

  private record Running(Population.Member member, Caller caller) {}

  private final CallOutcomes outcomes = new CallOutcomes();
  private final List<Running> running = new ArrayList<>();

  private Callers() {}

  /**
   * Starts all of them.
   *
   * @param server what they call
   * @param threads for their gRPC calls
   * @param aggregators the addresses of the aggregators of a zone
   */
  public static Callers start(
      PaymentsServer server, EventLoopGroup threads, Function<String, List<String>> aggregators) {
    Callers callers = new Callers();
    for (Population.Member member : Population.MEMBERS) {
      HeadgateAgent agent =
          HeadgateAgent.builder()
              .service(member.name())
              .region(member.location().region())
              .zone(member.location().zone())
              .aggregators(aggregators.apply(member.location().zone()))
              .build();
      callers.running.add(
          new Running(member, new Caller(agent, server, threads, callers.outcomes)));
    }
    return callers;
  }

  /** Their agents. */
  public List<HeadgateAgent> agents() {
    return running.stream().map(each -> each.caller.agent()).toList();
  }

  /** What became of their calls. */
  public CallOutcomes outcomes() {
    return outcomes;
  }

  /**
   * Their calls, by caller and procedure.
   *
   * @param mainLimitPerSecond the usual rate of charges, and what the rates of others are scaled to
   * @param profiles how the load of a place changes in time
   */
  public List<Flow> flows(double mainLimitPerSecond, Function<Location, LoadProfile> profiles) {
    List<Flow> flows = new ArrayList<>();
    for (Running each : running) {
      Caller caller = each.caller;
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
                .map(each -> CompletableFuture.runAsync(each.caller::close, Callers::onThread))
                .toArray(CompletableFuture[]::new))
        .join();
  }

  private static void onThread(Runnable task) {
    Thread thread = new Thread(task, "demo-close");
    thread.setDaemon(true);
    thread.start();
  }
}
