package io.headgate.simulator.run;

import io.headgate.agent.Gate;
import io.headgate.agent.HeadgateAgent;
import io.headgate.simulator.scenario.Crowd;
import io.headgate.simulator.scenario.Scenario;
import io.headgate.simulator.traffic.Poisson;
import io.headgate.simulator.world.Network;
import io.headgate.simulator.world.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** A host of a crowd that makes each call, and asks the gates of a production agent. */
final class AgentHost {

  /** Its calls are made in slices of this length. */
  static final long SLICE_NANOS = 5_000_000;

  private final LeanCrowd crowd;
  private final int number;
  private final int kind;
  private final List<Gate> gates = new ArrayList<>();

  AgentHost(
      LeanCrowd crowd,
      Scenario scenario,
      Tiers tiers,
      Network network,
      String zone,
      int number,
      int kind) {
    this.crowd = crowd;
    this.number = number;
    this.kind = kind;
    Crowd calls = crowd.crowd();
    Node node = tiers.newNode("agent/" + number, zone);
    RandomGenerator draws = crowd.world().random();
    HeadgateAgent agent =
        HeadgateAgent.builder()
            .service(calls.caller())
            .clientId("host/" + number)
            .epoch(1)
            .region(tiers.regionOf(zone))
            .zone(zone)
            .aggregators(tiers.aggregators(zone))
            .reportInterval(seconds(scenario.loop().reportSeconds()))
            .releaseRamp(seconds(scenario.loop().rampSeconds()))
            .urgentReports(scenario.loop().significance())
            .eventLoop(node)
            .connector(network.connector(node, crowd.ofAgents()::measure))
            .random(crowd.world().random())
            .draws(draws::nextLong)
            .build();
    for (CrowdCalls each : crowd.calls()) {
      for (int slot = 0; slot < each.each(); slot++) {
        gates.add(
            agent.gate(calls.service(), calls.caller(), each.procedure(each.of(number, slot))));
      }
    }
  }

  private static Duration seconds(double seconds) {
    return Duration.ofNanos(Math.round(seconds * 1e9));
  }

  /** Makes the calls of the slice that ends now. */
  void pass() {
    long now = crowd.nowNanos();
    long from = now - SLICE_NANOS;
    int firstGate = 0;
    for (CrowdCalls calls : crowd.calls()) {
      if (calls.isEven()) {
        passEvenly(calls, firstGate, from, now);
      } else {
        for (int slot = 0; slot < calls.each(); slot++) {
          double mean = calls.mean(calls.of(number, slot), kind, from, now);
          pass(calls, firstGate, slot, from, now, Poisson.draw(mean, crowd.random()));
        }
      }
      firstGate += calls.each();
    }
  }

  /** One draw for all procedures together, and then one for each call. */
  private void passEvenly(CrowdCalls calls, int firstGate, long from, long now) {
    double mean = calls.each() * calls.mean(calls.of(number, 0), kind, from, now);
    long offered = Poisson.draw(mean, crowd.random());
    for (long call = 0; call < offered; call++) {
      pass(calls, firstGate, crowd.random().nextInt(calls.each()), from, now, 1);
    }
  }

  private void pass(CrowdCalls calls, int firstGate, int slot, long from, long now, long offered) {
    if (offered > 0) {
      long dropped = judge(gates.get(firstGate + slot), offered);
      crowd.count(calls, calls.of(number, slot), from, now, offered, dropped);
    }
  }

  private static long judge(Gate gate, long offered) {
    long dropped = 0;
    for (long call = 0; call < offered; call++) {
      dropped += gate.judge(-1, false).admitted() ? 0 : 1;
    }
    return dropped;
  }
}
