package io.headgate.simulator.scenario;

import io.headgate.simulator.traffic.RateCurve;
import io.headgate.simulator.traffic.Spread;
import java.util.ArrayList;
import java.util.List;

/**
 * A great many hosts, simulated leanly: what they send is what agents would send, but they draw
 * their counts once a report instead of making each call. Evenly over all zones.
 *
 * @param hosts how many
 * @param agents how many of these make each call, with a production agent of their own, to compare
 *     the others with
 * @param spread how demand is divided among hosts; every sixteenth has the same
 * @param service the service that is called
 * @param caller who calls
 * @param calls what is called
 */
public record Crowd(
    int hosts, int agents, Spread spread, String service, String caller, List<Calls> calls) {

  /**
   * Procedures of which each host calls some, all alike.
   *
   * @param procedure their names, with one {@code *} for the number of each, from 1
   * @param procedures how many there are
   * @param each how many of them a host calls
   * @param rate calls per second of the first procedure by all hosts together
   * @param skew how much less often the others are called: the n-th has n to the power of -{@code
   *     skew} of the first's rate
   */
  public record Calls(String procedure, int procedures, int each, RateCurve rate, double skew) {

    /** The name of a procedure. */
    public String name(int index) {
      return procedure.replace("*", Integer.toString(index + 1));
    }

    /** The rate of a procedure, as a part of the first's. */
    public double popularity(int index) {
      return skew == 0 ? 1 : Math.pow(index + 1, -skew);
    }
  }

  /** How many buckets each host has. */
  public int bucketsPerHost() {
    return calls.stream().mapToInt(Calls::each).sum();
  }

  /**
   * The same with a part of the hosts and of the procedures, each of which is called as often as
   * before by as many hosts.
   *
   * @param scale above 0, to 1
   */
  public Crowd scaled(double scale) {
    if (!(scale > 0 && scale <= 1)) {
      throw new IllegalArgumentException("scale: " + scale + " (expected: above 0, to 1)");
    }
    List<Calls> fewer = new ArrayList<>();
    for (Calls each : calls) {
      int procedures = Math.max(each.each(), (int) Math.round(scale * each.procedures()));
      fewer.add(new Calls(each.procedure(), procedures, each.each(), each.rate(), each.skew()));
    }
    int fewerHosts = Math.max(1, (int) Math.round(scale * hosts));
    return new Crowd(
        fewerHosts,
        Math.min(fewerHosts, Math.max(Math.min(1, agents), (int) Math.round(scale * agents))),
        spread,
        service,
        caller,
        fewer);
  }
}
