package io.headgate.server.demo.sample;

import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.headgate.core.rule.Behavior;
import io.headgate.core.rule.Location;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.ServiceRules;
import io.headgate.server.demo.load.Flow;
import io.headgate.server.demo.load.LoadProfile;
import io.headgate.server.demo.measure.Census;
import io.headgate.server.demo.measure.Counts;
import io.headgate.server.demo.measure.Origin;
import io.headgate.server.demo.measure.RuleName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Callers without agents, whose calls go through the Envoy of their zone. */
public final class EnvoyCallers implements Callers {

  private record Running(Origin origin, double share, EnvoyCaller caller) {}

  private final CallOutcomes outcomes = new CallOutcomes();
  private final SampleEnvoys envoys;
  private final List<Running> running = new ArrayList<>();

  private EnvoyCallers(SampleEnvoys envoys) {
    this.envoys = envoys;
  }

  /**
   * Starts all of them, each in the zone of its region that has an Envoy.
   *
   * @param envoys what they call; stay the caller's
   * @param threads for their calls
   */
  public static EnvoyCallers start(SampleEnvoys envoys, EventLoopGroup threads) {
    EnvoyCallers callers = new EnvoyCallers(envoys);
    for (Population.Member member : Population.MEMBERS) {
      SampleEnvoys.Running envoy = envoys.in(member.location().region());
      callers.running.add(
          new Running(
              new Origin(member.name(), envoy.location()),
              member.share(),
              new EnvoyCaller(member.name(), envoy.address(), threads, callers.outcomes)));
    }
    return callers;
  }

  @Override
  public List<Location> locations() {
    return running.stream().map(each -> each.origin.location()).toList();
  }

  @Override
  public boolean areReady() {
    return envoys.areConnected();
  }

  @Override
  public CallOutcomes outcomes() {
    return outcomes;
  }

  /**
   * As the callers see it. They cannot see which rule dropped a call; of several that match, it
   * counts as the first that denies.
   */
  @Override
  public Census census(ServiceRules rules) {
    Map<RuleName, Map<Origin, Counts>> counts = new HashMap<>();
    for (Running each : running) {
      each.caller
          .outcomes()
          .forEach((procedure, calls) -> count(rules, each.origin, procedure, calls, counts));
    }
    return new Census(System.nanoTime(), counts);
  }

  private static void count(
      ServiceRules rules,
      Origin origin,
      String procedure,
      CallOutcomes calls,
      Map<RuleName, Map<Origin, Counts>> counts) {
    long dropped = calls.droppedCalls();
    long offered = calls.answeredCalls() + dropped;
    for (Rule rule : rules.rules()) {
      if (rule.matches(origin.caller(), procedure)) {
        long here = rule.behavior() == Behavior.DENY ? dropped : 0;
        counts
            .computeIfAbsent(new RuleName(rules.service(), rule.name()), name -> new HashMap<>())
            .merge(origin, new Counts(offered, offered - here, here, 0), Counts::plus);
        offered -= here;
        dropped -= here;
      }
    }
  }

  @Override
  public List<Flow> flows(double mainLimitPerSecond, Function<Location, LoadProfile> profiles) {
    List<Flow> flows = new ArrayList<>();
    for (Running each : running) {
      EnvoyCaller caller = each.caller;
      double usual = mainLimitPerSecond * each.share;
      LoadProfile profile = profiles.apply(each.origin.location());
      flows.add(new Flow(usual * SampleRules.CHARGES, profile, () -> caller.call(Payments.CHARGE)));
      flows.add(new Flow(usual * SampleRules.REFUNDS, profile, () -> caller.call(Payments.REFUND)));
      flows.add(new Flow(usual * SampleRules.LOOKUPS, profile, () -> caller.call(Payments.LOOKUP)));
    }
    return flows;
  }

  @Override
  public void close() {
    running.forEach(each -> each.caller.close());
  }
}
